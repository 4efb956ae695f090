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

/**
 * Adds {@code Date} to every response of the router, as HTTP requires of a server with a clock (RFC 9110, 6.6.1). The
 * connection guard adds it to its own refusals.
 */
@Singleton
class DateHeader {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT).withZone(ZoneOffset.UTC);
    /**
     * The priority of the filter; filters with a higher priority run first. It is above that of all filters that may
     * respond.
     */
    private static final int PRIORITY = Integer.MAX_VALUE - 1;

    /**
     * A second since the epoch and its text in the header, cached in {@code last} because formatting costs more than a
     * comparison.
     */
    private record Second(long epochSecond, String text) {
        static Second of(long epochSecond) {
            return new Second(epochSecond, HTTP_DATE.format(Instant.ofEpochSecond(epochSecond)));
        }
    }

    private static volatile Second last = Second.of(0);

    void register(@Observes Filters filters) {
        filters.register(this::addDate, PRIORITY);
    }

    /** Adds the header to the response, and passes the request on. */
    private void addDate(RoutingContext request) {
        request.response().putHeader(HttpHeaders.DATE, now());
        request.next();
    }

    /** Returns the value of the header for the present time. */
    static String now() {
        long epochSecond = System.currentTimeMillis() / 1000;
        Second current = last;
        if (current.epochSecond() != epochSecond) {
            current = Second.of(epochSecond);
            last = current;
        }
        return current.text();
    }
}
