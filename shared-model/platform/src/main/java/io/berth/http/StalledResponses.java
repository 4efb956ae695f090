package io.berth.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Closes a connection whose client does not read its response. In each period of {@value #PERIOD_SECONDS} seconds, the
 * socket must accept at least 1 MiB of the connection's pending bytes, or all of them. This handler is the one next to
 * the socket in the Netty pipeline.
 */
final class StalledResponses extends ChannelOutboundHandlerAdapter {
    private static final int PERIOD_SECONDS = 10;
    private static final int PROGRESS_BYTES_MIN = 1 << 20;
    private static final Logger LOG = Logger.getLogger(StalledResponses.class);

    private boolean isWatching;
    private long writtenBytes;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            writtenBytes += bytes.readableBytes();
        }
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (!isWatching && pendingBytes(ctx) > 0) {
            isWatching = true;
            watch(ctx);
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        long sent = writtenBytes - pendingBytes(ctx);
        ctx.executor().schedule(() -> checkProgress(ctx, sent), PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void checkProgress(ChannelHandlerContext ctx, long sentBefore) {
        long pending = pendingBytes(ctx);
        if (pending == 0) {
            isWatching = false;
        } else if (writtenBytes - pending - sentBefore < PROGRESS_BYTES_MIN) {
            LOG.debugf("closed, the client does not read the response waiting_bytes=%d client=%s", pending,
                    ctx.channel().remoteAddress());
            ctx.close();
        } else {
            watch(ctx);
        }
    }

    /** Returns the number of pending bytes, including a small overhead of Netty; 0 if the connection is closed. */
    private static long pendingBytes(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
        return buffer == null || buffer.isEmpty()
                ? 0
                : Math.max(1, buffer.totalPendingWriteBytes() - buffer.currentProgress());
    }
}
