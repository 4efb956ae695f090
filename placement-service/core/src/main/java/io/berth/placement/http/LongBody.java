package io.berth.placement.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A response body of any length, which is rendered in chunks while it is sent. Only one chunk is in memory at a time:
 * the next one is rendered when the previous one has been written to the client's connection. While a body is
 * sent, its chunks are rendered on the event loop, so each must be small.
 */
public final class LongBody {
    private final RoutingContext http;
    private final long sourceBytes;
    private final Supplier<Iterator<byte[]>> chunks;
    private final long bytes;

    /**
     * Renders all chunks once to determine the length of the body, so call it on a worker thread if there are many.
     *
     * @param sourceBytes bytes of memory of the data that the chunks are rendered from, which {@link #reserveMemory}
     *         reserves; 0 if the caller has reserved this memory already
     * @param chunks returns an iterator over the chunks: at least one, and the same chunks on each call
     */
    public LongBody(RoutingContext http, long sourceBytes, Supplier<Iterator<byte[]>> chunks) {
        this.http = http;
        this.sourceBytes = sourceBytes;
        this.chunks = chunks;
        long sum = 0;
        for (Iterator<byte[]> each = chunks.get(); each.hasNext();) {
            sum += each.next().length;
        }
        this.bytes = sum;
    }

    /** Reserves the memory of the body's data until the client has read the body, see {@link LongLists#reserve}. */
    public void reserveMemory(LongLists lists) {
        lists.reserve(http, sourceBytes);
    }

    /**
     * Returns the chunks of a body that is an object with one list (or object) of elements.
     *
     * @param elements the elements, at least one
     * @param prefixBytes number of bytes of a rendered body before its first element
     * @param chunkEnd maps the index of the first element of a chunk to the index after the last element of the chunk
     * @param render renders a sublist, which may be empty, as a complete body
     */
    public static <T> Iterator<byte[]> chunksOf(
            List<T> elements, int prefixBytes, IntUnaryOperator chunkEnd, Function<List<T>, byte[]> render) {
        int suffixBytes = render.apply(List.of()).length - prefixBytes;
        return IntStream.iterate(0, from -> from < elements.size(), chunkEnd)
                .mapToObj(from -> {
                    int to = chunkEnd.applyAsInt(from);
                    byte[] rendered = render.apply(elements.subList(from, to));
                    byte[] chunk = Arrays.copyOfRange(
                            rendered, from == 0 ? 0 : prefixBytes - 1,
                            to == elements.size() ? rendered.length : rendered.length - suffixBytes);
                    if (from > 0) {
                        // The last byte before the first element is the opening bracket; here it becomes the comma.
                        chunk[0] = ',';
                    }
                    return chunk;
                })
                .iterator();
    }

    /**
     * Begins to send the response, with its present headers; each further chunk follows when the previous one has been
     * written. Ends silently if the client disconnects.
     */
    void send() {
        HttpServerResponse response = http.response().putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
        send(chunks.get(), response, Vertx.currentContext());
    }

    private static void send(Iterator<byte[]> chunks, HttpServerResponse response, Context loop) {
        if (response.closed()) {
            return;
        }
        Buffer chunk = Buffer.buffer(chunks.next());
        if (chunks.hasNext()) {
            // Schedules the next chunk instead of calling itself, because the depth of the recursion would be the
            // number of chunks.
            response.write(chunk).onSuccess(_ -> loop.runOnContext(_ -> send(chunks, response, loop)));
        } else {
            response.end(chunk);
        }
    }
}
