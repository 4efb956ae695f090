package io.berth.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jboss.logging.Logger;

/**
 * Holds a connection's next request back until the response to the one before is sent, and stops reading if many wait.
 * If the connection is closed, waiting requests are dropped, so that no work is done for a client that left. Vert.x
 * itself would start them all, one after the other.
 */
final class OneAtATime extends ChannelDuplexHandler {
    /**
     * The limit of waiting heads and parts of bodies above which reading stops; a request without a body counts as two.
     */
    private static final int WAITING_MAX = 256;
    private static final Logger LOG = Logger.getLogger(OneAtATime.class);

    private final Budget budget;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isAnswering;
    private boolean isReadWanted;

    OneAtATime(Budget budget) {
        this.budget = budget;
    }

    /** Returns whether a request is in flight, or messages wait to be delivered. */
    boolean isBusy() {
        return isAnswering || !waiting.isEmpty();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (waiting.isEmpty() && !(isAnswering && message instanceof HttpRequest)) {
            deliver(ctx, message);
            return;
        }
        long bytes = bytesOf(message);
        if (budget.take(bytes)) {
            waitingBytes += bytes;
            waiting.add(message);
        } else {
            LOG.debugf("closed, too many requests wait client=%s", ctx.channel().remoteAddress());
            ReferenceCountUtil.release(message);
            ctx.close();
        }
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        if (waiting.size() > WAITING_MAX) {
            isReadWanted = true;
        } else {
            ctx.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        boolean isInterim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        ctx.write(message, promise);
        if (message instanceof LastHttpContent && !isInterim) {
            isAnswering = false;
            if (!waiting.isEmpty()) {
                // Continues in a later task of the event loop, because Vert.x has not noted yet that this response is
                // complete.
                ctx.executor().execute(() -> goOn(ctx));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        budget.giveBack(waitingBytes);
        waitingBytes = 0;
        ctx.fireChannelInactive();
    }

    private void deliver(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest) {
            isAnswering = true;
        }
        ctx.fireChannelRead(message);
    }

    private void goOn(ChannelHandlerContext ctx) {
        boolean isMoving = false;
        while (!waiting.isEmpty() && !(isAnswering && waiting.peek() instanceof HttpRequest)) {
            Object next = waiting.poll();
            long bytes = bytesOf(next);
            waitingBytes -= bytes;
            budget.giveBack(bytes);
            deliver(ctx, next);
            isMoving = true;
        }
        if (isMoving) {
            ctx.fireChannelReadComplete();
        }
        if (isReadWanted && waiting.size() <= WAITING_MAX) {
            isReadWanted = false;
            ctx.read();
        }
    }

    private static long bytesOf(Object message) {
        return switch (message) {
            case HttpRequest request -> RequestHead.bytesOf(request);
            case HttpContent content -> content.content().readableBytes();
            default -> 0;
        };
    }
}
