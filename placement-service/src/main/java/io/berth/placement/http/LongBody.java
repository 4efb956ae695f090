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
 * A body of any length of which one part is in memory at a time: the next is rendered when the client has read the one
 * before. Parts are rendered on the event loop, so each must be small.
 */
public final class LongBody {
    private final RoutingContext http;
    private final long heldBytes;
    private final Supplier<Iterator<byte[]>> parts;
    private final long bytes;

    /**
     * Makes all parts once, to learn their length: not for an event loop.
     *
     * @param heldBytes what the parts are made from, in memory until the client has all; 0 where it is held already
     * @param parts one at least, and the same each time
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
     * A list as JSON in parts.
     *
     * @param before bytes in front of the first element
     * @param end the index at which a part ends that begins at this one
     * @param render these elements as a list of their own
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
