package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A claim of a consumer on one provider.
 *
 * @param amounts units by resource class
 */
record Claim(UUID consumer, UUID provider, Map<String, Integer> amounts) {
    /** The error code of a conflict with concurrent writes that placement's own retries did not resolve. */
    private static final String CONCURRENT_UPDATE = "placement.concurrent_update";

    Claim {
        amounts = Map.copyOf(amounts);
    }

    /** Returns a random uuid for a consumer. */
    static UUID newConsumer(RandomGenerator random) {
        // Version 4, variant 2: a valid random uuid.
        return new UUID(
                random.nextLong() & ~0xF000L | 0x4000L, random.nextLong() & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L);
    }

    /** Returns the request {@code PUT /allocations/{consumer}} for a new consumer. */
    Exchange put(String kind, Function<Response, Outcome> judge) {
        String resources = amounts.entrySet().stream()
                .map(amount -> "\"" + amount.getKey() + "\":" + amount.getValue())
                .collect(Collectors.joining(","));
        String body = "{\"allocations\":{\"" + provider + "\":{\"resources\":{" + resources + "}}},"
                + "\"project_id\":\"bench-project\",\"user_id\":\"bench-user\",\"consumer_generation\":null,"
                + "\"consumer_type\":\"INSTANCE\"}";
        return Exchange.put(kind, "/allocations/" + consumer, body, judge);
    }

    /**
     * Returns the request {@code DELETE /allocations/{consumer}}.
     *
     * @param onReleased runs if placement confirms the release with 204; any other response is wrong
     */
    Exchange delete(String kind, Runnable onReleased) {
        String path = "/allocations/" + consumer;
        return Exchange.delete(kind, path, response -> {
            if (response.status() != 204) {
                return response.wrong("DELETE " + path);
            }
            onReleased.run();
            return Outcome.GOOD;
        });
    }

    /** Returns whether placement refused a claim because of concurrent writes to the provider. */
    static boolean isConcurrentUpdate(Response response) {
        return response.status() == 409 && CONCURRENT_UPDATE.equals(response.errorCode());
    }
}
