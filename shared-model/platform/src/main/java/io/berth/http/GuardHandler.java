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
 * <li>It refuses invalid heads and chunks, and closes the connection after the refusal.
 * <li>It reserves memory for heads, for bodies ({@link #admit}) and for responses, and refuses those that exceed a
 * budget.
 * <li>It closes the connection if a body does not arrive in time.
 * </ul>
 */
final class GuardHandler extends ChannelDuplexHandler {
    /**
     * Seconds for which the rest of a refused request is read and discarded. Closing at once could make the client miss
     * the response.
     */
    private static final int DRAIN_SECONDS = 5;
    private static final String REQUEST_ID = "x-openstack-request-id";
    private static final Logger LOG = Logger.getLogger(GuardHandler.class);

    private final ConnectionGuard guard;
    private final RequestReservation share;
    private ChannelHandlerContext ctx;
    private boolean isRefused;
    private boolean isDisconnected;
    /** The method of the current request, null before the first; {@code accept} is its header Accept. */
    private String method;
    private String accept;
    private boolean isAnswerBegun;
    private boolean isAnswered;
    private boolean isBodyWhole;
    /** The timer of an incomplete body; null if no timer runs. */
    @Nullable
    private ScheduledFuture<?> bodyDeadline;
    /**
     * The remaining time of the body, in milliseconds, while the service has paused reading, for example to identify
     * the caller; otherwise -1. The pause does not count.
     */
    private long bodyLeftMs = -1;
    /** True if the connection closes after the response, because too much of the body is missing. */
    private boolean isClosing;
    /** The value of Content-Length; -1 for a chunked body. */
    private long announced;
    /** The number of bytes of the body that have arrived. */
    private long arrived;
    /** The maximum size of the admitted body; -1 until a body is admitted. */
    private long bytesMax = -1;

    GuardHandler(ConnectionGuard guard) {
        this.guard = guard;
        this.share = new RequestReservation(guard);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    /**
     * Reserves memory for the current request's body, until the response is complete. For a chunked body, memory is
     * reserved as bytes arrive.
     *
     * @param max maximum size of the body, in bytes
     */
    Bodies.Admission admit(long max) {
        if (isDisconnected) {
            return Bodies.Admission.NO_ROOM;
        }
        long known = announced < 0 ? arrived : announced;
        if (known > max) {
            return Bodies.Admission.TOO_LARGE;
        }
        if (!share.reserveBody(known)) {
            return Bodies.Admission.NO_ROOM;
        }
        bytesMax = max;
        return Bodies.Admission.ADMITTED;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isRefused) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            begin(request);
            RequestHead.Flaw flaw = RequestHead.check(request, context.channel().localAddress());
            if (flaw != null) {
                ReferenceCountUtil.release(message);
                refuse(flaw.status(), flaw.detail());
                return;
            }
            if (announced > guard.bodyBytesMax()) {
                ReferenceCountUtil.release(message);
                refuse(413, "A body has at most " + guard.bodyBytesMax() + " bytes.");
                return;
            }
            if (!share.reserveHead(RequestHead.bytesOf(request))) {
                ReferenceCountUtil.release(message);
                refuse(503, "Too many requests are in flight.");
                return;
            }
            limitBodyTime(guard.arrivesWithinMs());
        } else if (message instanceof HttpContent content && !isFine(content)) {
            ReferenceCountUtil.release(message);
            return;
        }
        context.fireChannelRead(message);
    }

    private void begin(HttpRequest request) {
        method = request.method().name();
        accept = request.headers().get(HttpHeaderNames.ACCEPT);
        isAnswerBegun = false;
        isAnswered = false;
        isBodyWhole = request instanceof LastHttpContent;
        announced = lengthOf(request);
        arrived = 0;
        bytesMax = -1;
    }

    /**
     * Starts the timer of the body. Quarkus' idle timeout is not enough, because it restarts with each byte: a client
     * that sends single bytes at long intervals could hold the connection forever.
     */
    private void limitBodyTime(long withinMs) {
        if (announced != 0 && !isBodyWhole) {
            bodyDeadline = ctx.executor().schedule(this::bodyIsLate, withinMs, TimeUnit.MILLISECONDS);
        }
    }

    private void bodyIsLate() {
        if (ctx.channel().config().isAutoRead()) {
            ctx.close();
        } else {
            limitBodyTime(guard.arrivesWithinMs());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (bodyDeadline != null && !context.channel().config().isAutoRead()) {
            long left = Math.max(0, bodyDeadline.getDelay(TimeUnit.MILLISECONDS));
            endBodyTime();
            bodyLeftMs = left;
        }
    }

    /** Restarts the timer of a paused body. Vert.x calls this method when the service resumes reading. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (bodyLeftMs >= 0) {
            limitBodyTime(bodyLeftMs);
            bodyLeftMs = -1;
        }
        context.read();
    }

    private void endBodyTime() {
        bodyLeftMs = -1;
        if (bodyDeadline != null) {
            bodyDeadline.cancel(false);
            bodyDeadline = null;
        }
    }

    /**
     * Returns the length of the body according to the head; -1 for a chunked body; 0 for an invalid head, which is then
     * refused.
     */
    private static long lengthOf(HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            return 0;
        }
        return HttpUtil.isTransferEncodingChunked(request) ? -1 : HttpUtil.getContentLength(request, 0L);
    }

    private boolean isFine(HttpContent content) {
        if (!content.decoderResult().isSuccess()) {
            refuse(400, "The body has an invalid chunk.");
            return false;
        }
        arrived += content.content().readableBytes();
        isBodyWhole = content instanceof LastHttpContent;
        if (isBodyWhole) {
            endBodyTime();
        }
        if (isClosing && isBodyWhole) {
            closeAfterFlush();
        } else if (isAnswered) {
            endLate();
        }
        if (bytesMax >= 0 && announced < 0) {
            if (arrived > bytesMax) {
                refuse(413, "The body has more than " + bytesMax + " bytes.");
                return false;
            }
            if (!share.reserveBody(arrived)) {
                refuse(503, Bodies.NO_ROOM);
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
            isAnswerBegun = true;
            // Announces that the connection closes after this response.
            if (isMuchMissing()) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
        }
        if (message instanceof HttpContent content && content.content().isReadable()) {
            writeWithin(context, content, promise);
        } else {
            context.write(message, promise);
        }
        if (message instanceof LastHttpContent && !isInterim) {
            share.giveBack();
            bytesMax = -1;
            isAnswered = true;
            endLate();
        }
    }

    /**
     * Returns whether so much of the body has not arrived that it is better to close the connection after the response
     * than to read and discard the rest.
     */
    private boolean isMuchMissing() {
        return !isBodyWhole && (announced < 0 ? arrived : announced - arrived) > RequestReservation.SMALL_BYTES;
    }

    private void endLate() {
        if (!isClosing && isMuchMissing()) {
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

    private void writeWithin(ChannelHandlerContext context, HttpContent content, ChannelPromise promise) {
        int bytes = content.content().readableBytes();
        Budget budget = bytes <= RequestReservation.SMALL_BYTES ? guard.smallAnswers() : guard.answers();
        // A chunk larger than half the budget reserves only half of it; otherwise one larger than the budget could
        // never be written.
        long reserved = Math.min(bytes, budget.max() / 2);
        if (budget.take(reserved)) {
            context.write(content, promise.unvoid().addListener(gone -> budget.giveBack(reserved)));
        } else if (content instanceof FullHttpResponse answer) {
            String requestId = answer.headers().get(REQUEST_ID);
            answer.release();
            LOG.debugf("response of %d bytes dropped, too many responses wait for their clients", bytes);
            context.write(
                    refusal(503, "Too many responses wait for their clients to read them.", requestId), promise);
        } else {
            content.release();
            promise.tryFailure(new ClosedChannelException());
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        isDisconnected = true;
        endBodyTime();
        share.giveBack();
        context.fireChannelInactive();
    }

    private void refuse(int status, String detail) {
        LOG.debugf("refused status=%d detail=%s client=%s", status, detail, ctx.channel().remoteAddress());
        isRefused = true;
        share.giveBack();
        if (isAnswerBegun) {
            closeAfterFlush();
            return;
        }
        FullHttpResponse answer = refusal(status, detail, null);
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        ctx.writeAndFlush(answer).addListener(written -> {
            if (ctx.channel() instanceof SocketChannel socket) {
                socket.shutdownOutput();
            }
        });
        ctx.channel().config().setAutoRead(true);
        ctx.executor().schedule(() -> ctx.close(), DRAIN_SECONDS, TimeUnit.SECONDS);
    }

    private FullHttpResponse refusal(int status, String detail, @Nullable String requestId) {
        RefusalRenderer.RenderedRefusal worded = guard.words().refusal(status, detail, method, accept, requestId);
        ByteBuf body =
                HttpMethod.HEAD.name().equals(method) ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(worded.body());
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
        worded.headers().forEach(answer.headers()::set);
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, worded.body().length);
        answer.headers().set(HttpHeaderNames.DATE, DateHeader.now());
        return answer;
    }
}
