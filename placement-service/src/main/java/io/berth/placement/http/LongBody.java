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
 * the next one is rendered when the previous one has been written to the client's connection. Chunks are rendered on
 * the event loop, so each must be small.
 */
public final class LongBody {
    private final RoutingContext http;
    private final long heldBytes;
    private final Supplier<Iterator<byte[]>> parts;
    private final long bytes;

    /**
     * Renders all chunks once to determine the length of the body, so call it on a worker thread if there are many.
     *
     * @param heldBytes bytes of the data that the chunks are rendered from, which {@link #hold} reserves; 0 if its
     *         memory is reserved already
     * @param parts returns an iterator over the chunks: at least one, and the same chunks on each call
     */
    public LongBody(RoutingContext http, long heldBytes, Supplier<Iterator<byte[]>> parts) {
        this.http = http;
        this.heldBytes = heldBytes;
        this.parts = parts;
        long sum = 0;
        for (Iterator<byte[]> each = parts.get(); each.hasNext();) {
            sum += each.next().length;
        }
        this.bytes = sum;
    }

    /** Reserves the memory of the body's data until the client has read the body, see {@link LongLists#hold}. */
    public void hold(LongLists lists) {
        lists.hold(http, heldBytes);
    }

    /**
     * Returns the chunks of a body that is an object with one list (or object) of elements.
     *
     * @param before the number of bytes before the first element
     * @param end maps the index of the first element of a chunk to the index after its last element
     * @param render renders a sublist as a complete body
     */
    public static <T> Iterator<byte[]> parts(
            List<T> elements, int before, IntUnaryOperator end, Function<List<T>, byte[]> render) {
        int after = render.apply(List.of()).length - before;
        return IntStream.iterate(0, from -> from < elements.size(), end)
                .mapToObj(from -> {
                    int until = end.applyAsInt(from);
                    byte[] list = render.apply(elements.subList(from, until));
                    byte[] part = Arrays.copyOfRange(
                            list, from == 0 ? 0 : before - 1,
                            until == elements.size() ? list.length : list.length - after);
                    if (from > 0) {
                        part[0] = ',';
                    }
                    return part;
                })
                .iterator();
    }

    /**
     * Begins to send the response, with its present headers; each further chunk follows when the previous one has been
     * written. Ends silently if the client disconnects.
     */
    void send() {
        HttpServerResponse response = http.response().putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
        send(parts.get(), response, Vertx.currentContext());
    }

    private static void send(Iterator<byte[]> parts, HttpServerResponse response, Context loop) {
        if (response.closed()) {
            return;
        }
        Buffer part = Buffer.buffer(parts.next());
        if (parts.hasNext()) {
            // Schedules the next chunk instead of calling itself, because the depth of the recursion would be the
            // number of chunks.
            response.write(part).onSuccess(_ -> loop.runOnContext(_ -> send(parts, response, loop)));
        } else {
            response.end(part);
        }
    }
}
