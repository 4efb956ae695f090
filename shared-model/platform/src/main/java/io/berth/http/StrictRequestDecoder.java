package io.berth.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * An HTTP decoder that refuses ambiguous framing, to prevent request smuggling: if a proxy and Netty disagreed on the
 * length of a body, Netty would parse the rest of the body as another request. The decoder refuses a head with both
 * Content-Length and Transfer-Encoding, chunks whose size line does not begin with a number, and chunks of 2 GiB or
 * more, whose size Netty reads modulo 2^32. It also reports the size of an incomplete head to {@link UnfinishedHead}.
 * <br>Source: RFC 9112, 6.3 and 7.1.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {
    /**
     * A chunk size with this number of hexadecimal digits, or more, is invalid. A size of fewer digits always fits into
     * a long.
     */
    private static final int INVALID_SIZE_DIGITS = 16;
    private static final int LINE_END_BYTES = 2;
    /**
     * A byte that makes a chunk size invalid, so that Netty refuses the chunk and reads nothing more from the
     * connection.
     */
    private static final byte NO_DIGIT = '-';

    private final UnfinishedHead head;
    private boolean isInHead = true;
    /** The number of decoded bytes of the current head. */
    private int headBytes;
    private boolean isInChunks;
    /**
     * The number of bytes of the current chunk that are not decoded yet, including its size line and its line end; 0 if
     * a size line is next.
     */
    private long chunkBytesLeft;

    StrictRequestDecoder(HttpServerOptions limits, UnfinishedHead head) {
        super(limits);
        this.head = head;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) throws Exception {
        super.channelRead(ctx, bytes);
        head.setArrivedBytes(isInHead ? headBytes + actualReadableBytes() : 0, ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        isInHead = false;
        head.release();
        super.channelInactive(ctx);
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (isInChunks && chunkBytesLeft == 0) {
            checkChunkLine(in);
        }
        int start = in.readerIndex();
        int countBefore = out.size();
        super.decode(ctx, in, out);
        if (isInChunks) {
            chunkBytesLeft -= Math.min(chunkBytesLeft, in.readerIndex() - start);
        }
        if (isInHead) {
            headBytes += in.readerIndex() - start;
        }
        for (int i = countBefore; i < out.size(); i++) {
            if (out.get(i) instanceof HttpRequest request) {
                isInChunks = request.decoderResult().isSuccess() && HttpUtil.isTransferEncodingChunked(request);
                chunkBytesLeft = 0;
                isInHead = false;
                headBytes = 0;
                head.release();
            } else if (out.get(i) instanceof LastHttpContent) {
                isInChunks = false;
                isInHead = true;
            }
        }
    }

    /**
     * Checks the size line of the next chunk, if the line has arrived completely. Makes an invalid size unreadable for
     * Netty.
     */
    private void checkChunkLine(ByteBuf in) {
        int start = in.readerIndex();
        int end = in.indexOf(start, in.writerIndex(), (byte) '\n');
        if (end < 0) {
            return;
        }
        long size = parseSize(in, start, end);
        if (size < 0 || size > Integer.MAX_VALUE) {
            in.setByte(start, NO_DIGIT);
            isInChunks = false;
        } else if (size == 0) {
            // This is the last chunk, which trailers may follow.
            isInChunks = false;
        } else {
            chunkBytesLeft = end + 1 - start + size + LINE_END_BYTES;
        }
    }

    /** Returns the chunk size in the line; -1 if the line does not begin with a number, or the number is too long. */
    private static long parseSize(ByteBuf in, int start, int end) {
        long size = 0;
        int index = start;
        for (int digit = digit(in, index); digit >= 0 && index < end; digit = digit(in, ++index)) {
            size = size * 16 + digit;
            if (index - start == INVALID_SIZE_DIGITS - 1) {
                return -1;
            }
        }
        return index == start ? -1 : size;
    }

    private static int digit(ByteBuf in, int index) {
        return Character.digit((char) (in.getByte(index) & 0xff), 16);
    }
}
