package io.berth.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jboss.logging.Logger;

/**
 * Processes pipelined requests of a connection one at a time: the next request is delivered only after the response to
 * the previous one is written. If many messages wait, the handler stops reading; if the memory budget for waiting
 * requests is exhausted, it closes the connection. If the connection is closed, waiting requests are discarded; Vert.x
 * would start each of them, although no client reads the responses.
 *
 * <p>Also limits {@code quarkus.http.idle-timeout} to connections without a request: a request may wait or compute for
 * longer. Other handlers limit the time of incomplete heads and bodies, and of responses that the client does not read.
 */
final class PipelinedRequests extends ChannelDuplexHandler {
    /**
     * Maximum number of waiting messages, above which reading stops. A request has a message for its head and at least
     * one for its body, even if the body is empty.
     */
    private static final int WAITING_MESSAGES_MAX = 256;
    private static final Logger LOG = Logger.getLogger(PipelinedRequests.class);

    private final ByteBudget budget;
    private final ArrayDeque<Object> waitingMessages = new ArrayDeque<>();
    private long waitingBytes;
    private boolean isRequestInFlight;
    private boolean isReadPending;

    PipelinedRequests(ByteBudget budget) {
        this.budget = budget;
    }

    /** Returns whether a request of the connection is in flight, or messages wait. */
    boolean isBusy() {
        return isRequestInFlight || !waitingMessages.isEmpty();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (waitingMessages.isEmpty() && !(isRequestInFlight && message instanceof HttpRequest)) {
            deliver(ctx, message);
            return;
        }
        long bytes = bytesOf(message);
        if (budget.reserve(bytes)) {
            waitingBytes += bytes;
            waitingMessages.add(message);
        } else {
            LOG.debugf("closed, too many requests wait client=%s", ctx.channel().remoteAddress());
            ReferenceCountUtil.release(message);
            ctx.close();
        }
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        if (waitingMessages.size() > WAITING_MESSAGES_MAX) {
            isReadPending = true;
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
            isRequestInFlight = false;
            if (!waitingMessages.isEmpty()) {
                // Delivers in a later task of the event loop, because Vert.x marks the response as complete only after
                // this write.
                ctx.executor().execute(() -> deliverWaiting(ctx));
            }
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // Vert.x closes the connection at this event, and the client would get no response. The event comes again.
        if (!(event instanceof IdleStateEvent && isBusy())) {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        waitingMessages.forEach(ReferenceCountUtil::release);
        waitingMessages.clear();
        budget.release(waitingBytes);
        waitingBytes = 0;
        ctx.fireChannelInactive();
    }

    private void deliver(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest) {
            isRequestInFlight = true;
        }
        ctx.fireChannelRead(message);
    }

    private void deliverWaiting(ChannelHandlerContext ctx) {
        boolean isDelivered = false;
        while (!waitingMessages.isEmpty() && !(isRequestInFlight && waitingMessages.peek() instanceof HttpRequest)) {
            Object next = waitingMessages.poll();
            long bytes = bytesOf(next);
            waitingBytes -= bytes;
            budget.release(bytes);
            deliver(ctx, next);
            isDelivered = true;
        }
        if (isDelivered) {
            ctx.fireChannelReadComplete();
        }
        if (isReadPending && waitingMessages.size() <= WAITING_MESSAGES_MAX) {
            isReadPending = false;
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
