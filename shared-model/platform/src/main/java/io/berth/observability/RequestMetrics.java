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
 * flight. Ignores paths under {@code /q/} (health, metrics), and requests whose client has left before they are
 * processed.
 */
@Singleton
public final class RequestMetrics {
    /**
     * The priority of the filter; filters with a higher priority run first. It is above that of the filters that
     * identify callers and refuse requests, so that refusals are counted.
     */
    private static final int PRIORITY = 20_000;
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "other");
    /**
     * The number of status classes. The class of a status is its first digit; class 0 is for requests whose client
     * closed the connection before the response was complete.
     */
    private static final int STATUS_CLASSES = 6;

    private final MeterRegistry meters;
    private final RouteTemplates routes;
    /**
     * The timers at {@code (method * (routes + 1) + route) * STATUS_CLASSES + class of the status}, created at first
     * use.
     */
    private final AtomicReferenceArray<Timer> timers;
    private final LongAdder begunCount = new LongAdder();
    private final LongAdder endedCount = new LongAdder();

    RequestMetrics(MeterRegistry meters, RouteTemplates routes) {
        this.meters = meters;
        this.routes = routes;
        this.timers = new AtomicReferenceArray<>(METHODS.size() * (routes.size() + 1) * STATUS_CLASSES);
        Gauge.builder("berth.http.requests.active", this, RequestMetrics::active)
                .description("Requests that have no complete response yet")
                .register(meters);
    }

    void measure(@Observes Filters filters) {
        filters.register(this::begin, PRIORITY);
    }

    private long active() {
        // Reads endedCount first. In the other order, a request that ends between the two reads could make the
        // difference negative.
        long endedNow = endedCount.sum();
        return begunCount.sum() - endedNow;
    }

    private void begin(RoutingContext request) {
        if (request.response().closed()) {
            // The client has closed the connection, so the end handler would not be called. The request is neither
            // counted nor processed.
            return;
        }
        String path = request.request().path();
        if (path == null || !path.startsWith("/q/")) {
            long startNanos = System.nanoTime();
            begunCount.increment();
            request.addEndHandler(done -> {
                endedCount.increment();
                int status = done.succeeded() ? request.response().getStatusCode() : 0;
                timer(request.request().method(), path, status)
                        .record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
            });
        }
        request.next();
    }

    private Timer timer(HttpMethod method, String path, int status) {
        int methodIndex = METHODS.indexOf(method.name());
        int labelIndex = methodIndex < 0 ? METHODS.size() - 1 : methodIndex;
        int route = routes.find(path);
        int statusClass = status / 100 < STATUS_CLASSES ? status / 100 : 0;
        int index = (labelIndex * (routes.size() + 1) + route) * STATUS_CLASSES + statusClass;
        Timer timer = timers.get(index);
        if (timer == null) {
            // If two threads register the timer concurrently, both get the same meter.
            timer = Latency.timer(
                    meters, "berth.http.requests",
                    "Requests, from head to end of the response; status is its class, or lost if the client left",
                    "method", METHODS.get(labelIndex),
                    "route", routes.name(route),
                    "status", statusClass == 0 ? "lost" : statusClass + "xx");
            timers.set(index, timer);
        }
        return timer;
    }
}
