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
 * A response body of any length. Only one part is in memory at a time: the next is rendered when the client has read
 * the one before. Parts are rendered on the event loop, so each must be small.
 */
public final class LongBody {
    private final RoutingContext http;
    private final long heldBytes;
    private final Supplier<Iterator<byte[]>> parts;
    private final long bytes;

    /**
     * Renders all parts once to determine the length of the body. Unless that is fast, call it off the event loop.
     *
     * @param heldBytes size of the data that parts are rendered from, which stays in memory until the client has read
     *         the body; 0 if its memory is reserved already
     * @param parts creates the parts: at least one, and the same on each call
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

    /** Reserves the body's memory, see {@link LongLists#hold}. */
    public void hold(LongLists lists) {
        lists.hold(http, heldBytes);
    }

    /**
     * Renders a list as JSON in parts.
     *
     * @param before number of bytes in front of the first element
     * @param end maps the index at which a part begins to the index after its end
     * @param render renders elements as a complete list
     */
    public static <T> Iterator<byte[]> parts(
            List<T> elements, int before, IntUnaryOperator end, Function<List<T>, byte[]> render) {
        int after = render.apply(List.of()).length - before;
        return IntStream.iterate(0, from -> from < elements.size(), end)
                .mapToObj(from -> {
                    int until = end.applyAsInt(from);
                    byte[] list = render.apply(elements.subList(from, until));
                    byte[] part = Arrays.copyOfRange(
                            list, from == 0 ? 0 : before - 1, until == elements.size() ? list.length : list.length - after);
                    if (from > 0) {
                        part[0] = ',';
                    }
                    return part;
                })
                .iterator();
    }

    /** Starts at once, so that the present headers are sent, and continues as long as the client reads. */
    void send() {
        HttpServerResponse response = http.response().putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(bytes));
        send(parts.get(), response, Vertx.currentContext());
    }

    private static void send(Iterator<byte[]> left, HttpServerResponse response, Context loop) {
        if (response.closed()) {
            return;
        }
        Buffer part = Buffer.buffer(left.next());
        if (left.hasNext()) {
            // Schedules the next part instead of calling itself, because the recursion would be as deep as there are
            // parts.
            response.write(part).onSuccess(_ -> loop.runOnContext(_ -> send(left, response, loop)));
        } else {
            response.end(part);
        }
    }
}
