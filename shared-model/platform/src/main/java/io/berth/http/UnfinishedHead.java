package io.berth.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import jakarta.annotation.Nullable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * The incomplete head of a connection's next request, limited by a common budget and in time. So the connection of a
 * client that sends single bytes at long intervals is closed. Used only on the connection's event loop.
 */
final class UnfinishedHead {
    private static final Logger LOG = Logger.getLogger(UnfinishedHead.class);

    private final ConnectionGuard guard;
    private final BooleanSupplier isBusy;
    private long bytes;
    @Nullable
    private ScheduledFuture<?> late;

    /**
     * @param isBusy whether earlier requests are in flight; the time limit does not apply then, because the service
     *         itself may have stopped reading
     */
    UnfinishedHead(ConnectionGuard guard, BooleanSupplier isBusy) {
        this.guard = guard;
        this.isBusy = isBusy;
    }

    /** Sets the number of bytes of the head that have arrived; 0 for none. */
    void holds(long now, ChannelHandlerContext ctx) {
        if (now > bytes && !guard.unfinishedHeads().take(now - bytes)) {
            close(ctx, "too many heads are not complete");
            return;
        }
        if (now < bytes) {
            guard.unfinishedHeads().giveBack(bytes - now);
        }
        bytes = now;
        if (now > 0 && late == null) {
            watch(ctx);
        }
    }

    /** Releases the budget and the timer, because the head is complete or its connection is closed. */
    void ended() {
        guard.unfinishedHeads().giveBack(bytes);
        bytes = 0;
        if (late != null) {
            late.cancel(false);
            late = null;
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        late = ctx.executor().schedule(() -> {
            if (isBusy.getAsBoolean()) {
                watch(ctx);
            } else {
                close(ctx, "the head does not arrive");
            }
        }, guard.arrivesWithinMs(), TimeUnit.MILLISECONDS);
    }

    private static void close(ChannelHandlerContext ctx, String why) {
        LOG.debugf("closed, %s client=%s", why, ctx.channel().remoteAddress());
        ctx.close();
    }
}
