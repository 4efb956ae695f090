package io.berth.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import jakarta.annotation.Nullable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * The incomplete head of a connection's next request: it is limited by a common budget and in time. A client that sends
 * a byte now and then is closed. Only for one connection's event loop.
 */
final class UnfinishedHead {
    private static final Logger LOG = Logger.getLogger(UnfinishedHead.class);

    private final ConnectionGuard guard;
    private final BooleanSupplier isBusy;
    private long bytes;
    @Nullable
    private ScheduledFuture<?> late;

    /** @param isBusy while earlier requests are in flight, the service itself may have stopped reading */
    UnfinishedHead(ConnectionGuard guard, BooleanSupplier isBusy) {
        this.guard = guard;
        this.isBusy = isBusy;
    }

    /** Sets the number of bytes that have arrived of it; 0 for none. */
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

    /** The head is complete, or its connection is closed. */
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
