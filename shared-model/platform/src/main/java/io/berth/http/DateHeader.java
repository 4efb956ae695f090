package io.berth.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Adds {@code Date} to every response, as HTTP requires of a server with a clock (RFC 9110, 6.6.1). */
@Singleton
class DateHeader {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** The priority of the filter, above that of all filters that may respond. */
    private static final int EARLY = Integer.MAX_VALUE - 1;

    /**
     * A second since the epoch and its text, cached in {@code last} because formatting costs more than a comparison.
     */
    private record Second(long number, String text) {
        static Second of(long number) {
            return new Second(number, FORM.format(Instant.ofEpochSecond(number)));
        }
    }

    private static volatile Second last = Second.of(0);

    void register(@Observes Filters filters) {
        filters.register(this::register, EARLY);
    }

    private void register(RoutingContext request) {
        request.response().putHeader(HttpHeaders.DATE, now());
        request.next();
    }

    static String now() {
        long number = System.currentTimeMillis() / 1000;
        Second now = last;
        if (now.number() != number) {
            now = Second.of(number);
            last = now;
        }
        return now.text();
    }
}
