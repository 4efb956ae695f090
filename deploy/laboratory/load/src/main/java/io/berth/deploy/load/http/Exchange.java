package io.berth.deploy.load.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Objects;
import java.util.function.Function;

/**
 * One request and the check of its response.
 *
 * @param kind the label of the requests whose latencies are measured together with this one
 * @param path the path below the target's prefix, with the query string
 * @param body JSON; null for none
 * @param keepsBody whether {@code judge} gets the body of the response; if not, the bytes of the body are only counted,
 *         which is cheaper
 * @param judge judges the response, if there is one; called once, on the event loop of the {@link ClientConnections}
 */
public record Exchange(
        String kind, HttpMethod method, String path, Buffer body, boolean keepsBody,
        Function<Response, Outcome> judge) {
    public Exchange {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(method);
        Objects.requireNonNull(path);
        Objects.requireNonNull(judge);
    }

    public static Exchange get(String kind, String path, Function<Response, Outcome> judge) {
        return new Exchange(kind, HttpMethod.GET, path, null, true, judge);
    }

    public static Exchange put(String kind, String path, String body, Function<Response, Outcome> judge) {
        return new Exchange(kind, HttpMethod.PUT, path, Buffer.buffer(body), true, judge);
    }

    public static Exchange post(String kind, String path, String body, Function<Response, Outcome> judge) {
        return new Exchange(kind, HttpMethod.POST, path, Buffer.buffer(body), true, judge);
    }

    public static Exchange delete(String kind, String path, Function<Response, Outcome> judge) {
        return new Exchange(kind, HttpMethod.DELETE, path, null, true, judge);
    }
}
