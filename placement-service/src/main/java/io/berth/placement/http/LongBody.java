package io.berth.placement.http;

import io.berth.http.Budget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * A body of any length of which one part is in memory at a time: the next is made when the client has taken the one
 * before. Parts are made on the event loop, so each is to be small.
 */
public final class LongBody {
    private final RoutingContext http;
    private final long heldBytes;
    private final Supplier<Iterator<byte[]>> parts;
    private final long bytes;

    /**
     * Makes all parts once, to learn their length: not for an event loop.
     *
     * @param heldBytes what the parts are made from, in memory until the client has all
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

    /**
     * Takes what is held until the client has all or is gone. On its event loop.
     *
     * @throws ApiException 503 where so much is not left
     */
    public void take(Budget budget) {
        if (http.response().closed()) {
            return;
        }
        if (!budget.take(heldBytes)) {
            throw ApiException.unavailable("Too many long lists wait for their clients to take them. Ask again, or for less.");
        }
        http.addEndHandler(_ -> budget.giveBack(heldBytes));
    }

    /** Begins at once, so that headers are sent as they are now, and goes on for as long as somebody takes it. */
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
            // Not from within, which would go as deep as there are parts.
            response.write(part).onSuccess(_ -> loop.runOnContext(_ -> send(left, response, loop)));
        } else {
            response.end(part);
        }
    }
}
