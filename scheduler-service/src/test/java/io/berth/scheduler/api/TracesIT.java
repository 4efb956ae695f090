package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With tracing enabled, a decision is one trace through both packaged services and their SQL. */
@Tag("process")
class TracesIT {
    private static final Duration EXPORT_MAX = Duration.ofMinutes(5);

    @Test
    void aDecisionIsOneTraceThroughBothServices() throws Exception {
        try (var receiver = new TraceReceiver();
                var placement = ServiceProcess.start(Path.of("..", "placement-service"), traced(receiver, Map.of()));
                var scheduler = ServiceProcess.start(
                        Path.of("."), traced(receiver, Map.of("BERTH_PLACEMENT_URL", placement.url())))) {
            String trait = "CUSTOM_T" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
            makeHost(placement, trait);
            String trace = UUID.randomUUID().toString().replace("-", "");
            admin(scheduler).header("traceparent", "00-" + trace + "-00f067aa0ba902b7-01").body("""
                    {"request_spec": {"instance_uuid": "%s", "project_id": "p", "user_id": "u",
                      "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512,
                                 "extra_specs": {"trait:%s": "required"}}}}""".formatted(UUID.randomUUID(), trait))
                    .post("/v1/select_destinations").then().statusCode(200);

            awaitSpan(receiver, trace, span -> span.service().equals("berth-scheduler")
                    && span.name().contains("/v1/select_destinations") && "00f067aa0ba902b7".equals(span.parentId()));
            var claim = awaitSpan(receiver, trace, span -> span.service().equals("berth-placement")
                    && span.name().startsWith("PUT") && span.name().contains("/allocations/"));
            awaitSpan(receiver, trace, span -> span.service().equals("berth-scheduler")
                    && span.spanId().equals(claim.parentId()));
            awaitSpan(receiver, trace, span -> span.service().equals("berth-placement")
                    && claim.spanId().equals(span.parentId()) && !span.name().startsWith("PUT"));
        }
    }

    private static Map<String, String> traced(TraceReceiver receiver, Map<String, String> more) {
        var environment = new HashMap<>(more);
        environment.put("BERTH_DATABASE_URL", PostgresForTests.url());
        environment.put("QUARKUS_OTEL_SDK_DISABLED", "false");
        environment.put("QUARKUS_OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
        environment.put("QUARKUS_OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url());
        environment.put("QUARKUS_OTEL_BSP_SCHEDULE_DELAY", "200ms");
        return environment;
    }

    private static RequestSpecification admin(ServiceProcess service) {
        return given().baseUri(service.url()).port(URI.create(service.url()).getPort())
                .header("x-auth-token", "admin").contentType("application/json")
                .header("openstack-api-version", "placement 1.36");
    }

    private static void makeHost(ServiceProcess placement, String trait) {
        String uuid = UUID.randomUUID().toString();
        admin(placement).put("/traits/" + trait).then().statusCode(201);
        admin(placement).body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        admin(placement)
                .body(Map.of(
                        "resource_provider_generation", 0,
                        "inventories", Map.of("VCPU", Map.of("total", 4), "MEMORY_MB", Map.of("total", 4096))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        admin(placement).body(Map.of("resource_provider_generation", 1, "traits", List.of(trait)))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
    }

    private static TraceReceiver.Span awaitSpan(
            TraceReceiver receiver, String trace, Predicate<TraceReceiver.Span> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + EXPORT_MAX.toNanos();
        while (true) {
            for (TraceReceiver.Span span : receiver.spans()) {
                if (trace.equals(span.traceId()) && wanted.test(span)) {
                    return span;
                }
            }
            assertThat(System.nanoTime()).as("seen: " + receiver.spans().stream()
                    .filter(span -> trace.equals(span.traceId())).toList()).isLessThan(deadline);
            Thread.sleep(100);
        }
    }
}
