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
 * The connection guard of one connection, between decoder and Vert.x, on the connection's event loop: refuses invalid
 * heads and bodies, admits both within their budgets ({@link #admit}), and admits responses within theirs. After it has
 * refused a request it closes the connection.
 */
final class GuardHandler extends ChannelDuplexHandler {
    /**
     * The longest time for which a refused client's bytes are read and dropped, so that the client can read the
     * response.
     */
    private static final int DRAIN_SECONDS = 5;
    private static final String REQUEST_ID = "x-openstack-request-id";
    private static final Logger LOG = Logger.getLogger(GuardHandler.class);

    private final ConnectionGuard guard;
    private final BodyShare share;
    private ChannelHandlerContext ctx;
    private boolean isRefused;
    private boolean isGone;
    /** The method of the present request. */
    private String method;
    private String accept;
    private boolean isAnswerBegun;
    private boolean isAnswered;
    private boolean isBodyWhole;
    /** The deadline of a body that is not complete; null if there is none. */
    @Nullable
    private ScheduledFuture<?> bodyDeadline;
    /**
     * The rest of the body's time, in milliseconds, while the service pauses reading, for example to identify the
     * caller; otherwise -1.
     */
    private long bodyLeftMs = -1;
    private boolean isClosing;
    /** The value of Content-Length; -1 for chunks. */
    private long announced;
    private long arrived;
    /** The limit of the admitted body; -1 until it is admitted. */
    private long bytesMax = -1;

    GuardHandler(ConnectionGuard guard) {
        this.guard = guard;
        this.share = new BodyShare(guard);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    /**
     * Admits the present request's body, whose memory is reserved until the response. The bytes of a chunked body are
     * counted as they arrive.
     */
    Bodies.Admission admit(long max) {
        if (isGone) {
            return Bodies.Admission.NO_ROOM;
        }
        long known = announced < 0 ? arrived : announced;
        if (known > max) {
            return Bodies.Admission.TOO_LARGE;
        }
        if (!share.holds(known)) {
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
            if (!share.holdsHead(RequestHead.bytesOf(request))) {
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
     * Sets a deadline for the body, because Quarkus' idle timeout restarts with each byte: a client that sends single
     * bytes at long intervals could stay forever.
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

    /** Vert.x also calls this when the service resumes reading. */
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
     * Returns the announced length of the body; -1 for chunks. Returns 0 if it cannot be read; the request is then
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
            closeBehindAnswer();
        } else if (isAnswered) {
            endLate();
        }
        if (bytesMax >= 0 && announced < 0) {
            if (arrived > bytesMax) {
                refuse(413, "The body has more than " + bytesMax + " bytes.");
                return false;
            }
            if (!share.holds(arrived)) {
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
     * Returns whether the response did not wait for the body, and so much of the body is missing that the connection is
     * not worth keeping by reading and dropping the rest.
     */
    private boolean isMuchMissing() {
        return !isBodyWhole && (announced < 0 ? arrived : announced - arrived) > BodyShare.SMALL_BYTES;
    }

    private void endLate() {
        if (!isClosing && isMuchMissing()) {
            isClosing = true;
            ctx.executor().schedule(() -> ctx.close(), DRAIN_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * Flushes before closing: Vert.x may not have sent what it wrote, because it flushes after all received bytes are
     * read.
     */
    private void closeBehindAnswer() {
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void writeWithin(ChannelHandlerContext context, HttpContent content, ChannelPromise promise) {
        int bytes = content.content().readableBytes();
        Budget budget = bytes <= BodyShare.SMALL_BYTES ? guard.smallAnswers() : guard.answers();
        // A response larger than half the budget reserves half of it, so it waits until the other half is free.
        long taken = Math.min(bytes, budget.max() / 2);
        if (budget.take(taken)) {
            context.write(content, promise.unvoid().addListener(gone -> budget.giveBack(taken)));
        } else if (content instanceof FullHttpResponse answer) {
            String requestId = answer.headers().get(REQUEST_ID);
            answer.release();
            LOG.debugf("answer of %d bytes not given, others are not taken", bytes);
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
        isGone = true;
        endBodyTime();
        share.giveBack();
        context.fireChannelInactive();
    }

    private void refuse(int status, String detail) {
        LOG.debugf("refused status=%d detail=%s client=%s", status, detail, ctx.channel().remoteAddress());
        isRefused = true;
        share.giveBack();
        if (isAnswerBegun) {
            closeBehindAnswer();
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
        DoorWords.Worded worded = guard.words().refusal(status, detail, method, accept, requestId);
        ByteBuf body = HttpMethod.HEAD.name().equals(method) ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(worded.body());
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body);
        worded.headers().forEach(answer.headers()::set);
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, worded.body().length);
        answer.headers().set(HttpHeaderNames.DATE, DateHeader.now());
        return answer;
    }
}
