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
 * {@code berth_http_requests_seconds}: every request by method, route and class of its status, from its head to the end
 * of its response; and the number of requests in flight. Health and metrics under {@code /q/} are not counted.
 */
@Singleton
public final class RequestMetrics {
    /** Precedes every other filter, so that refusals are counted, too. */
    private static final int FIRST = 20_000;
    private static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "other");
    private static final int CLASSES = 6;

    private final MeterRegistry meters;
    private final RouteTemplates routes;
    /** The timers by method, route and class of status; created on first use. */
    private final AtomicReferenceArray<Timer> timers;
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    RequestMetrics(MeterRegistry meters, RouteTemplates routes) {
        this.meters = meters;
        this.routes = routes;
        this.timers = new AtomicReferenceArray<>(METHODS.size() * (routes.size() + 1) * CLASSES);
        Gauge.builder("berth.http.requests.active", this, RequestMetrics::active)
                .description("Requests that have no complete answer yet")
                .register(meters);
    }

    void measure(@Observes Filters filters) {
        filters.register(this::begin, FIRST);
    }

    private long active() {
        // The order matters: a request that ends in between must not make the difference negative.
        long gone = ended.sum();
        return begun.sum() - gone;
    }

    private void begin(RoutingContext request) {
        if (request.response().closed()) {
            // The client has left already, so the end of this request would not be reported.
            return;
        }
        String path = request.request().path();
        if (path == null || !path.startsWith("/q/")) {
            long started = System.nanoTime();
            begun.increment();
            request.addEndHandler(done -> {
                ended.increment();
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
            // Registering twice gives the same meter.
            known = Latency.timer(
                    meters, "berth.http.requests",
                    "Requests, from head to end of the answer; status is its class, or lost where the client went away",
                    "method", METHODS.get(verb),
                    "route", routes.name(route),
                    "status", statusClass == 0 ? "lost" : statusClass + "xx");
            timers.set(index, known);
        }
        return known;
    }
}
