package io.berth.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Closes a connection whose client does not read its response. In each period of {@value #SECONDS} seconds, the socket
 * must accept at least 1 MiB of the connection's pending bytes, or all of them. This handler is the one next to the
 * socket in the Netty pipeline.
 */
final class StalledResponses extends ChannelOutboundHandlerAdapter {
    private static final int SECONDS = 10;
    private static final int BYTES_MIN = 1 << 20;
    private static final Logger LOG = Logger.getLogger(StalledResponses.class);

    private boolean isWatching;
    private long written;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            written += bytes.readableBytes();
        }
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (!isWatching && waiting(ctx) > 0) {
            isWatching = true;
            watch(ctx);
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        long sent = written - waiting(ctx);
        ctx.executor().schedule(() -> checkProgress(ctx, sent), SECONDS, TimeUnit.SECONDS);
    }

    private void checkProgress(ChannelHandlerContext ctx, long sentBefore) {
        long waiting = waiting(ctx);
        if (waiting == 0) {
            isWatching = false;
        } else if (written - waiting - sentBefore < BYTES_MIN) {
            LOG.debugf("closed, the client does not read the response waiting_bytes=%d client=%s", waiting,
                    ctx.channel().remoteAddress());
            ctx.close();
        } else {
            watch(ctx);
        }
    }

    /** Returns the number of pending bytes, including a small overhead of Netty; 0 if the connection is closed. */
    private static long waiting(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
        return buffer == null || buffer.isEmpty()
                ? 0
                : Math.max(1, buffer.totalPendingWriteBytes() - buffer.currentProgress());
    }
}
