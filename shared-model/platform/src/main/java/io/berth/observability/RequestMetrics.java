package io.berth.observability;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures requests: {@code berth_http_requests_seconds} is the time from the head of a request to the end of its
 * response, by method, route and class of the status; {@code berth_http_requests_active} is the number of requests in
 * flight. Ignores paths under {@code /q/} (health, metrics).
 */
@Singleton
public final class RequestMetrics {
    /**
     * The priority of the filter, of which the highest runs first. It is above that of the filters that identify
     * callers and refuse requests, so that refusals are counted.
     */
    private static final int FIRST = 20_000;
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "other");
    /**
     * The number of classes of a status, by its first digit. Class 0 is for requests whose client closed the
     * connection.
     */
    private static final int CLASSES = 6;

    private final MeterRegistry meters;
    private final RouteTemplates routes;
    /** The timers at {@code (method * (routes + 1) + route) * CLASSES + class of the status}, created at first use. */
    private final AtomicReferenceArray<Timer> timers;
    private final LongAdder begun = new LongAdder();
    private final LongAdder endedCount = new LongAdder();

    RequestMetrics(MeterRegistry meters, RouteTemplates routes) {
        this.meters = meters;
        this.routes = routes;
        this.timers = new AtomicReferenceArray<>(METHODS.size() * (routes.size() + 1) * CLASSES);
        Gauge.builder("berth.http.requests.active", this, RequestMetrics::active)
                .description("Requests that have no complete response yet")
                .register(meters);
    }

    void measure(@Observes Filters filters) {
        filters.register(this::begin, FIRST);
    }

    private long active() {
        // Reads {@code endedCount} first. In the other order, a request that ends between the two reads could make the
        // difference negative.
        long endedNow = endedCount.sum();
        return begun.sum() - endedNow;
    }

    private void begin(RoutingContext request) {
        if (request.response().closed()) {
            // The client has closed the connection, so the end handler would not be called.
            return;
        }
        String path = request.request().path();
        if (path == null || !path.startsWith("/q/")) {
            long started = System.nanoTime();
            begun.increment();
            request.addEndHandler(done -> {
                endedCount.increment();
                int status = done.succeeded() ? request.response().getStatusCode() : 0;
                timer(request.request().method(), path, status)
                        .record(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            });
        }
        request.next();
    }

    private Timer timer(HttpMethod method, String path, int status) {
        int named = METHODS.indexOf(method.name());
        int verb = named < 0 ? METHODS.size() - 1 : named;
        int route = routes.find(path);
        int statusClass = status / 100 < CLASSES ? status / 100 : 0;
        int index = (verb * (routes.size() + 1) + route) * CLASSES + statusClass;
        Timer known = timers.get(index);
        if (known == null) {
            // If two threads register the timer concurrently, both get the same meter.
            known = Latency.timer(
                    meters, "berth.http.requests",
                    "Requests, from head to end of the response; status is its class, or lost if the client left",
                    "method", METHODS.get(verb),
                    "route", routes.name(route),
                    "status", statusClass == 0 ? "lost" : statusClass + "xx");
            timers.set(index, known);
        }
        return known;
    }
}
