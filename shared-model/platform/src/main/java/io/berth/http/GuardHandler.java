package io.berth.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import jakarta.annotation.Nullable;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The connection guard of one connection: a Netty handler between the HTTP decoder and Vert.x, on the connection's
 * event loop.
 * <ul>
 * <li>It refuses requests with invalid heads or chunks, or with bodies that are too large, and closes the connection
 * after the refusal.
 * <li>It reserves memory for heads, for bodies ({@link #admit}) and for responses. If a budget is exhausted, the client
 * gets a 503; if its response has begun, the connection is closed instead.
 * <li>It closes the connection if a body does not arrive in time, or if the response is complete although much of the
 * body has not arrived.
 * </ul>
 */
final class GuardHandler extends ChannelDuplexHandler {
    /**
     * Seconds for which the rest of a request is read and discarded after its refusal or its response. Closing at once
     * could make the client miss the response.
     */
    private static final int DRAIN_SECONDS = 5;
    private static final String REQUEST_ID = "x-openstack-request-id";
    private static final Logger LOG = Logger.getLogger(GuardHandler.class);

    private final SharedGuardState guard;
    private final RequestReservation reservation;
    private ChannelHandlerContext ctx;
    private boolean isRefused;
    private boolean isDisconnected;
    /** The method of the current request; null before the first request. */
    private @Nullable String method;
    /** The header Accept of the current request; null if the request has none. */
    private @Nullable String accept;
    private boolean isResponseBegun;
    private boolean isResponseComplete;
    private boolean isBodyComplete;
    /** The timer of an incomplete body; null if no timer runs. */
    @Nullable
    private ScheduledFuture<?> bodyDeadline;
    /**
     * The remaining time of the body, in milliseconds, while the service has paused reading, for example to identify
     * the caller; otherwise -1. The pause does not count.
     */
    private long pausedBodyMs = -1;
    /** True if the connection closes after the response, because too much of the body is missing. */
    private boolean isClosing;
    /** The value of Content-Length; -1 for a chunked body, 0 without a body. */
    private long contentLength;
    /** The number of bytes of the body that have arrived. */
    private long arrivedBytes;
    /** The maximum size of the admitted body; -1 until a body is admitted. */
    private long admittedBytesMax = -1;

    GuardHandler(SharedGuardState guard) {
        this.guard = guard;
        this.reservation = new RequestReservation(guard);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    /**
     * Decides whether the current request's body may be read, and reserves memory for it until the response is
     * complete. For a chunked body, more memory is reserved as bytes arrive.
     *
     * @param max maximum size of the body, in bytes
     */
    Bodies.Admission admit(long max) {
        // No body will arrive, and the reservation would never be released.
        if (isDisconnected) {
            return Bodies.Admission.NO_ROOM;
        }
        long knownBytes = contentLength < 0 ? arrivedBytes : contentLength;
        if (knownBytes > max) {
            return Bodies.Admission.TOO_LARGE;
        }
        if (!reservation.reserveBody(knownBytes)) {
            return Bodies.Admission.NO_ROOM;
        }
        admittedBytesMax = max;
        return Bodies.Admission.ADMITTED;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isRefused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            beginRequest(request);
            RequestHead.Flaw flaw = RequestHead.checkAndNormalize(request, context.channel().localAddress());
            if (flaw != null) {
                ReferenceCountUtil.release(message);
                refuse(flaw.status(), flaw.detail());
                return;
            }
            if (contentLength > guard.bodyBytesMax()) {
                ReferenceCountUtil.release(message);
                refuse(413, "The body must have at most " + guard.bodyBytesMax() + " bytes.");
                return;
            }
            if (!reservation.reserveHead(RequestHead.bytesOf(request))) {
                ReferenceCountUtil.release(message);
                refuse(503, "Too many requests are in flight.");
                return;
            }
            startBodyTimer(guard.arrivesWithinMs());
        } else if (message instanceof HttpContent content && !acceptContent(content)) {
            ReferenceCountUtil.release(message);
            return;
        }
        context.fireChannelRead(message);
    }

    private void beginRequest(HttpRequest request) {
        method = request.method().name();
        accept = request.headers().get(HttpHeaderNames.ACCEPT);
        isResponseBegun = false;
        isResponseComplete = false;
        isBodyComplete = request instanceof LastHttpContent;
        contentLength = bodyLengthOf(request);
        arrivedBytes = 0;
        admittedBytesMax = -1;
    }

    /**
     * Starts the timer of the body, unless there is no body or it has arrived. Quarkus' idle timeout is not enough,
     * because it restarts with each byte: a client that sends single bytes at long intervals could hold the connection
     * forever.
     */
    private void startBodyTimer(long withinMs) {
        if (contentLength != 0 && !isBodyComplete) {
            bodyDeadline = ctx.executor().schedule(this::closeIfLate, withinMs, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Closes the connection, because the body did not arrive in time. If the service has paused reading, restarts the
     * timer instead.
     */
    private void closeIfLate() {
        if (ctx.channel().config().isAutoRead()) {
            ctx.close();
        } else {
            startBodyTimer(guard.arrivesWithinMs());
        }
    }

    /** Stops the timer of the body if the service has paused reading. {@link #read} starts it again. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (bodyDeadline != null && !context.channel().config().isAutoRead()) {
            long remainingMs = Math.max(0, bodyDeadline.getDelay(TimeUnit.MILLISECONDS));
            stopBodyTimer();
            pausedBodyMs = remainingMs;
        }
    }

    /**
     * Restarts the timer of a paused body with its remaining time. Vert.x calls this method when the service resumes
     * reading.
     */
    @Override
    public void read(ChannelHandlerContext context) {
        if (pausedBodyMs >= 0) {
            startBodyTimer(pausedBodyMs);
            pausedBodyMs = -1;
        }
        context.read();
    }

    private void stopBodyTimer() {
        pausedBodyMs = -1;
        if (bodyDeadline != null) {
            bodyDeadline.cancel(false);
            bodyDeadline = null;
        }
    }

    /**
     * Returns the length of the body according to the head; -1 for a chunked body; 0 without a body, and for an invalid
     * head, which is then refused.
     */
    private static long bodyLengthOf(HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            return 0;
        }
        return HttpUtil.isTransferEncodingChunked(request) ? -1 : HttpUtil.getContentLength(request, 0L);
    }

    /**
     * Counts the bytes of a part of the body. For an admitted chunked body, also checks its size and reserves memory.
     * Returns false if the part is refused.
     */
    private boolean acceptContent(HttpContent content) {
        if (!content.decoderResult().isSuccess()) {
            refuse(400, "The body has an invalid chunk.");
            return false;
        }
        arrivedBytes += content.content().readableBytes();
        isBodyComplete = content instanceof LastHttpContent;
        if (isBodyComplete) {
            stopBodyTimer();
        }
        if (isClosing && isBodyComplete) {
            closeAfterFlush();
        } else if (isResponseComplete) {
            closeIfMuchBodyMissing();
        }
        if (admittedBytesMax >= 0 && contentLength < 0) {
            if (arrivedBytes > admittedBytesMax) {
                refuse(413, "The body has more than " + admittedBytesMax + " bytes.");
                return false;
            }
            if (!reservation.reserveBody(arrivedBytes)) {
                refuse(503, Bodies.NO_ROOM_DETAIL);
                return false;
            }
        }
        return true;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (isRefused) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        boolean isInterim = message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof HttpResponse response && !isInterim) {
            isResponseBegun = true;
            // Announces that the connection closes after this response.
            if (isMuchBodyMissing()) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
        }
        if (message instanceof HttpContent content && content.content().isReadable()) {
            writeContent(context, content, promise);
        } else {
            context.write(message, promise);
        }
        if (message instanceof LastHttpContent && !isInterim) {
            reservation.release();
            admittedBytesMax = -1;
            isResponseComplete = true;
            closeIfMuchBodyMissing();
        }
    }

    /**
     * Returns whether so much of the body has not arrived that it is better to close the connection after the response
     * than to read and discard the rest. For an incomplete chunked body, whose length is unknown, the number of bytes
     * that have arrived decides.
     */
    private boolean isMuchBodyMissing() {
        return !isBodyComplete
                && (contentLength < 0 ? arrivedBytes : contentLength - arrivedBytes) > RequestReservation.SMALL_BYTES;
    }

    /**
     * If much of the body is still missing at the end of the response, makes the connection close once the rest of the
     * body has arrived, at the latest after {@value #DRAIN_SECONDS} seconds.
     */
    private void closeIfMuchBodyMissing() {
        if (!isClosing && isMuchBodyMissing()) {
            isClosing = true;
            ctx.executor().schedule(() -> ctx.close(), DRAIN_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * Closes the connection after what Vert.x has written is sent. The explicit flush is needed because Vert.x flushes
     * only after all received bytes are read.
     */
    private void closeAfterFlush() {
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /**
     * Writes a part of a response within the budget for responses. Beyond the budget, a response that is complete in
     * one part is replaced by a 503; a connection with a response of several parts is closed.
     */
    private void writeContent(ChannelHandlerContext context, HttpContent content, ChannelPromise promise) {
        int bytes = content.content().readableBytes();
        ByteBudget budget = bytes <= RequestReservation.SMALL_BYTES ? guard.smallResponses() : guard.largeResponses();
        // A chunk larger than half the budget reserves only half of it; otherwise one larger than the budget could
        // never be written.
        long reserved = Math.min(bytes, budget.max() / 2);
        if (budget.reserve(reserved)) {
            context.write(content, promise.unvoid().addListener(sent -> budget.release(reserved)));
        } else if (content instanceof FullHttpResponse fullResponse) {
            String requestId = fullResponse.headers().get(REQUEST_ID);
            fullResponse.release();
            LOG.debugf("response of %d bytes dropped, too many responses wait for their clients", bytes);
            context.write(
                    renderRefusal(503, "Too many responses wait for their clients to read them.", requestId), promise);
        } else {
            content.release();
            promise.tryFailure(new ClosedChannelException());
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        isDisconnected = true;
        stopBodyTimer();
        reservation.release();
        context.fireChannelInactive();
    }

    /**
     * Refuses the current request. If a response has begun, closes the connection once the written part is sent.
     * Otherwise sends an error response, reads and discards what the client still sends, and closes the connection
     * after {@value #DRAIN_SECONDS} seconds at the latest.
     */
    private void refuse(int status, String detail) {
        LOG.debugf("refused status=%d detail=%s client=%s", status, detail, ctx.channel().remoteAddress());
        isRefused = true;
        reservation.release();
        if (isResponseBegun) {
            closeAfterFlush();
            return;
        }
        FullHttpResponse fullResponse = renderRefusal(status, detail, null);
        fullResponse.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        ctx.writeAndFlush(fullResponse).addListener(written -> {
            if (ctx.channel() instanceof SocketChannel socket) {
                socket.shutdownOutput();
            }
        });
        ctx.channel().config().setAutoRead(true);
        ctx.executor().schedule(() -> ctx.close(), DRAIN_SECONDS, TimeUnit.SECONDS);
    }

    private FullHttpResponse renderRefusal(int status, String detail, @Nullable String requestId) {
        RefusalRenderer.RenderedRefusal rendered = guard.renderer().refusal(status, detail, method, accept, requestId);
        ByteBuf body =
                HttpMethod.HEAD.name().equals(method) ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(rendered.body());
        var fullResponse = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
        rendered.headers().forEach(fullResponse.headers()::set);
        fullResponse.headers().set(HttpHeaderNames.CONTENT_LENGTH, rendered.body().length);
        fullResponse.headers().set(HttpHeaderNames.DATE, DateHeader.now());
        return fullResponse;
    }
}
