package io.berth.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import jakarta.annotation.Nullable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * The incomplete head of a connection's next request. Its size counts in the budget for incomplete heads, and its time
 * is limited, so that a client that sends single bytes at long intervals does not hold the connection. Used only on the
 * connection's event loop.
 */
final class UnfinishedHead {
    private static final Logger LOG = Logger.getLogger(UnfinishedHead.class);

    private final SharedGuardState guard;
    private final BooleanSupplier isBusy;
    private long reservedBytes;
    @Nullable
    private ScheduledFuture<?> timer;

    /**
     * @param isBusy returns whether earlier requests of the connection are in flight or wait. If so when the time limit
     *         ends, the limit starts again, because the service itself may have stopped reading
     */
    UnfinishedHead(SharedGuardState guard, BooleanSupplier isBusy) {
        this.guard = guard;
        this.isBusy = isBusy;
    }

    /**
     * Sets the number of bytes of the head that have arrived; 0 if no head has begun. Closes the connection if the
     * budget is exhausted.
     */
    void setArrivedBytes(long arrivedBytes, ChannelHandlerContext ctx) {
        if (arrivedBytes > reservedBytes && !guard.unfinishedHeads().reserve(arrivedBytes - reservedBytes)) {
            close(ctx, "too many heads are not complete");
            return;
        }
        if (arrivedBytes < reservedBytes) {
            guard.unfinishedHeads().release(reservedBytes - arrivedBytes);
        }
        reservedBytes = arrivedBytes;
        if (arrivedBytes > 0 && timer == null) {
            watch(ctx);
        }
    }

    /**
     * Releases the reserved bytes and cancels the timer. Called if the head is complete or the connection is closed.
     */
    void release() {
        guard.unfinishedHeads().release(reservedBytes);
        reservedBytes = 0;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        timer = ctx.executor().schedule(() -> {
            if (isBusy.getAsBoolean()) {
                watch(ctx);
            } else {
                close(ctx, "the head did not arrive in time");
            }
        }, guard.arrivesWithinMs(), TimeUnit.MILLISECONDS);
    }

    private static void close(ChannelHandlerContext ctx, String why) {
        LOG.debugf("closed, %s client=%s", why, ctx.channel().remoteAddress());
        ctx.close();
    }
}
