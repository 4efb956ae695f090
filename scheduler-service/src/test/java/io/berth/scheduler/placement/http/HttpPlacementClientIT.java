package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.identity.outgoing.Credentials;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.ReleaseResult;
import io.berth.scheduler.placement.WhatIfResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client of placement against an HTTP server with prepared responses. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class HttpPlacementClientIT {
    private static final UUID CONSUMER = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final String HOST = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String CONCURRENT = """
            {"errors":[{"status":409,"title":"Conflict","code":"placement.concurrent_update","detail":"%s"}]}""";

    private final Vertx vertx = Vertx.vertx();
    private final Deque<Consumer<HttpServerRequest>> answers = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private HttpServer server;
    private PlacementHttp http;
    private HttpPlacementClient client;

    @BeforeEach
    void start() {
        server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    seen.add(request.method() + " " + request.uri() + " " + request.getHeader("openstack-api-version")
                            + " " + request.getHeader("x-auth-token") + " "
                            + request.getHeader("x-openstack-request-id") + (body.length() == 0 ? "" : " " + body));
                    answers.poll().accept(request);
                }))
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        connect(Duration.ofMinutes(5));
    }

    /** @param timeout limit for one call */
    private void connect(Duration timeout) {
        http = new PlacementHttp(vertx, new PlacementConfig(
                "http://127.0.0.1:" + server.actualPort() + "/placement/", "admin",
                timeout, Duration.ofMinutes(5), 4, 100), Credentials.token("admin"), Optional.empty());
        client = new HttpPlacementClient(http, new CandidatesExchange(http, new FleetHeap(1L << 30)));
    }

    @AfterEach
    void stop() {
        http.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static Consumer<HttpServerRequest> answer(int status, String body) {
        return request -> request.response().setStatusCode(status).end(body);
    }

    private static Consumer<HttpServerRequest> silence() {
        return request -> {};
    }

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private static Claim claim() {
        return new Claim(
                CONSUMER,
                new AllocationRequest(Map.of(HOST, Map.of("VCPU", 2L)), Map.of("", List.of(HOST))),
                null,
                "project",
                "user");
    }

    @Test
    void readsCandidatesOfAnotherPlacementAndIgnoresUnknownMembers() {
        answers.add(answer(404, "{\"errors\":[{\"status\":404}]}"));
        answers.add(answer(200, """
                {"new_in_some_year": {"deep": [1, {"x": 2}]},
                 "allocation_requests": [
                   {"allocations": {"%1$s": {"resources": {"VCPU": 2, "MEMORY_MB": 64}, "generation": 3}},
                    "mappings": {"": ["%1$s"], "_G": ["%1$s"]}}],
                 "provider_summaries": {
                   "%1$s": {"resources": {"VCPU": {"capacity": 16, "used": 5, "later": 1}},
                            "traits": ["MISC_SHARES_VIA_AGGREGATE", "HW_CPU_X86_AVX"],
                            "parent_provider_uuid": null, "root_provider_uuid": "%1$s"}}}""".formatted(HOST)));
        assertThat(await(client.allocationCandidates("limit=1&resources=VCPU%3A2", "req-7"))).isEqualTo(
                new CandidatesResult.Found(new AllocationCandidates(
                        List.of(new AllocationRequest(
                                Map.of(HOST, Map.of("VCPU", 2L, "MEMORY_MB", 64L)),
                                Map.of("", List.of(HOST), "_G", List.of(HOST)))),
                        Map.of(HOST, new ProviderSummary(
                                HOST, HOST, Map.of("VCPU", new ProviderSummary.Usage(16, 5)), true)))));
        assertThat(seen).containsExactly(
                "GET /placement/berth/v1/candidates?limit=1&resources=VCPU%3A2 placement 1.36 admin req-7",
                "GET /placement/allocation_candidates?limit=1&resources=VCPU%3A2 placement 1.36 admin req-7");
        answers.add(answer(200, "{\"allocation_requests\":[],\"provider_summaries\":{}}"));
        assertThat(await(client.allocationCandidates("q", "r")))
                .isEqualTo(new CandidatesResult.Found(AllocationCandidates.NONE));
        assertThat(seen.getLast()).startsWith("GET /placement/allocation_candidates?q ");
    }

    @Test
    void filtersHostsItselfIfPlacementCannotExcludeThem() {
        answers.add(answer(404, "{\"errors\":[{\"status\":404}]}"));
        for (int i = 0; i < 2; i++) {
            answers.add(answer(200, """
                    {"allocation_requests": [
                       {"allocations": {"%1$s": {"resources": {"VCPU": 2}}}, "mappings": {"": ["%1$s"]}}],
                     "provider_summaries": {
                       "%1$s": {"resources": {"VCPU": {"capacity": 16, "used": 5}, "PCPU": {"capacity": 4, "used": 4}},
                                "traits": [], "parent_provider_uuid": null, "root_provider_uuid": "%1$s"}}}""".formatted(HOST)));
        }
        assertThat(await(client.allocationCandidates("limit=1&resources=VCPU%3A2&without_inventory=PCPU", "r")))
                .isEqualTo(new CandidatesResult.Found(AllocationCandidates.NONE));
        assertThat(seen).containsExactly(
                "GET /placement/berth/v1/candidates?limit=1&resources=VCPU%3A2&without_inventory=PCPU placement 1.36"
                        + " admin r",
                "GET /placement/allocation_candidates?limit=1&resources=VCPU%3A2 placement 1.36 admin r",
                "GET /placement/allocation_candidates?resources=VCPU%3A2 placement 1.36 admin r");
    }

    /** Returns a response that references one host, tree 7, in the given version. */
    private static String references(long position, long version, String changed) {
        byte[] tree = ByteBuffer.allocate(16).putLong(7).putLong(version).array();
        return """
                {"replica":"A","position":%d,"parts":[{"group":"","resources":{"VCPU":2}}],"classes":["VCPU"],
                 "trees":"%s","requests":[],"changed":[%s]}"""
                .formatted(position, Base64.getEncoder().encodeToString(tree), changed);
    }

    private static String tree(long version, int used) {
        return """
                {"id":7,"version":%d,"providers":[{"id":7,"uuid":"%s","parent":null,
                 "resources":{"VCPU":{"capacity":16,"used":%d}},"traits":[]}]}""".formatted(version, HOST, used);
    }

    private static CandidatesResult found(int used) {
        return new CandidatesResult.Found(new AllocationCandidates(
                List.of(claim().request()),
                Map.of(HOST, new ProviderSummary(
                        HOST, HOST, Map.of("VCPU", new ProviderSummary.Usage(16, used)), false))));
    }

    @Test
    void requestsMissingTreesAndThenReceivesChanges() {
        answers.add(answer(200, references(5, -1, "")));
        answers.add(answer(200, "{\"replica\":\"A\",\"position\":6,\"trees\":[" + tree(-1, 3) + "]}"));
        assertThat(await(client.allocationCandidates("q", "r"))).isEqualTo(found(3));
        answers.add(answer(200, references(6, -1, "")));
        assertThat(await(client.allocationCandidates("other", "r"))).isEqualTo(found(3));
        answers.add(answer(200, references(9, 4, tree(4, 8))));
        assertThat(await(client.allocationCandidates("q", "r"))).isEqualTo(found(8));
        assertThat(seen).containsExactly(
                "GET /placement/berth/v1/candidates?q placement 1.36 admin r",
                "POST /placement/berth/v1/provider_trees placement 1.36 admin r {\"ids\":[7]}",
                "GET /placement/berth/v1/candidates?other&after=A.5 placement 1.36 admin r",
                "GET /placement/berth/v1/candidates?q&after=A.6 placement 1.36 admin r");
    }

    @Test
    void fallsBackToPlainResponsesIfTreesCannotBeRequested() {
        String plain = """
                {"allocation_requests": [{"allocations": {"%1$s": {"resources": {"VCPU": 2}}}, "mappings": {"": ["%1$s"]}}],
                 "provider_summaries": {"%1$s": {"resources": {"VCPU": {"capacity": 16, "used": 4}},
                   "traits": [], "parent_provider_uuid": null, "root_provider_uuid": "%1$s"}}}""".formatted(HOST);
        answers.add(answer(200, references(5, -1, "")));
        answers.add(answer(404, "{}"));
        answers.add(answer(200, plain));
        assertThat(await(client.allocationCandidates("q", "r"))).isEqualTo(found(4));
        answers.add(answer(200, plain));
        assertThat(await(client.allocationCandidates("q", "r"))).isEqualTo(found(4));
        assertThat(seen).element(3).isEqualTo("GET /placement/allocation_candidates?q placement 1.36 admin r");
    }

    @Test
    void aFailedRequestForTreesIsNoRefusalOfTheQuery() {
        answers.add(answer(200, references(5, -1, "")));
        answers.add(answer(400, "{\"errors\":[{\"status\":400,\"detail\":\"too many\"}]}"));
        assertThat(await(client.allocationCandidates("q", "r")))
                .isEqualTo(new CandidatesResult.Unreachable("placement answered 400"));
        answers.add(answer(200, references(5, -1, "")));
        answers.add(answer(503, ""));
        answers.add(answer(200, "{\"replica\":\"A\",\"position\":6,\"trees\":[]}"));
        assertThat(await(client.allocationCandidates("q", "r"))).as("deleted in the meantime")
                .isEqualTo(new CandidatesResult.Found(AllocationCandidates.NONE));
    }

    @Test
    void countsAnnouncedClaimsAgainstLaterClaims() {
        String oneFits = """
                {"allocation_requests": [{"allocations": {"%1$s": {"resources": {"VCPU": 2}}}, "mappings": {"": ["%1$s"]}}],
                 "provider_summaries": {"%1$s": {"resources": {"VCPU": {"capacity": 2, "used": 0}},
                   "traits": [], "parent_provider_uuid": null, "root_provider_uuid": "%1$s"}}}""".formatted(HOST);
        answers.add(answer(404, "{}"));
        for (int i = 0; i < 3; i++) {
            answers.add(answer(200, oneFits));
        }
        for (String request : List.of("a", "b", "c")) {
            await(client.candidatesToClaim("q", request));
            client.announce(claim().request(), request);
        }
        int sentBefore = seen.size();
        assertThat(await(client.putAllocations(claim(), "b"))).isInstanceOf(ClaimResult.Refused.class);
        assertThat(seen).as("nothing was sent").hasSize(sentBefore);
        answers.add(answer(409, "{\"errors\":[{\"status\":409,\"detail\":\"full\"}]}"));
        assertThat(await(client.putAllocations(claim(), "a"))).isEqualTo(new ClaimResult.Refused("", "full"));
        // Request a counted no claims of others. Request b counted that of a, so it must be decided again.
        assertThat(client.endTurn("a")).isFalse();
        assertThat(client.endTurn("b")).isTrue();
        answers.add(answer(204, ""));
        assertThat(await(client.putAllocations(claim(), "c"))).isEqualTo(new ClaimResult.Claimed(CONSUMER));
        client.endTurn("c");
    }

    @Test
    void distinguishesRefusalsOfAHostFromRefusalsOfTheRequest() {
        answers.add(answer(409, "{\"errors\":[{\"status\":409,\"detail\":\"full\"}]}"));
        assertThat(await(client.putAllocations(claim(), "r"))).isEqualTo(new ClaimResult.Refused("", "full"));
        answers.add(answer(400, "{\"errors\":[{\"status\":400,\"detail\":\"project_id is too long\"}]}"));
        assertThat(await(client.putAllocations(claim(), "r")))
                .isEqualTo(new ClaimResult.Denied(400, "project_id is too long"));
        // The provider was deleted since the candidates were read. Other hosts may still be suitable.
        String gone = "Allocation for resource provider '" + HOST + "' that does not exist.";
        answers.add(answer(400, "{\"errors\":[{\"status\":400,\"detail\":\"" + gone + "\"}]}"));
        assertThat(await(client.putAllocations(claim(), "r"))).isEqualTo(new ClaimResult.Refused("", gone));
        for (int status : List.of(401, 403)) {
            answers.add(answer(status, "{}"));
            assertThat(await(client.putAllocations(claim(), "r"))).isInstanceOfSatisfying(
                    ClaimResult.Denied.class, denied -> {
                        assertThat(denied.isRequestInvalid()).isFalse();
                        assertThat(denied.why()).contains("credentials").contains("berth.placement-auth");
                    });
        }
    }

    @Test
    void distinguishesARefusalFromAnUnreachablePlacement() {
        answers.add(answer(400, "{\"errors\":[{\"status\":400,\"detail\":\"No such trait\"}]}"));
        assertThat(await(client.allocationCandidates("q", "r")))
                .isEqualTo(new CandidatesResult.Refused(400, "No such trait"));
        answers.add(answer(401, "{}"));
        assertThat(await(client.allocationCandidates("q", "r"))).isInstanceOf(CandidatesResult.Unreachable.class);
        answers.add(answer(200, "<html>"));
        assertThat(await(client.allocationCandidates("q", "r"))).isInstanceOf(CandidatesResult.Unreachable.class);
    }

    @Test
    void retriesAReadOnce() {
        answers.add(answer(503, ""));
        answers.add(answer(200, """
                {"replica":"A","position":1,"parts":[],"classes":[],"trees":"","requests":[],"changed":[]}"""));
        assertThat(await(client.allocationCandidates("q", "r"))).isInstanceOf(CandidatesResult.Found.class);
        answers.add(answer(503, ""));
        answers.add(answer(503, ""));
        assertThat(await(client.allocationCandidates("q", "r"))).isInstanceOf(CandidatesResult.Unreachable.class);
        assertThat(seen).hasSize(4);
    }

    @Test
    void doesNotRetryAClaimWithoutAResponse() {
        http.close();
        connect(Duration.ofSeconds(5));
        answers.add(silence());
        assertThat(await(client.putAllocations(claim(), "r"))).isInstanceOf(ClaimResult.Unreachable.class);
        assertThat(seen).containsExactly("PUT /placement/allocations/" + CONSUMER + " placement 1.36 admin r "
                + "{\"allocations\":{\"" + HOST + "\":{\"resources\":{\"VCPU\":2}}},\"mappings\":{\"\":[\"" + HOST
                + "\"]},\"consumer_generation\":null,\"project_id\":\"project\",\"user_id\":\"user\"}");
        answers.add(answer(503, ""));
        assertThat(await(client.putAllocations(claim(), "r"))).isInstanceOf(ClaimResult.Unreachable.class);
        assertThat(seen).hasSize(2);
    }

    @Test
    void retriesAClaimAfterAProviderGenerationConflict() {
        answers.add(answer(409, CONCURRENT.formatted("resource provider generation conflict")));
        answers.add(answer(204, ""));
        assertThat(await(client.putAllocations(claim(), "r"))).isEqualTo(new ClaimResult.Claimed(CONSUMER));
        assertThat(seen).hasSize(2);
    }

    @Test
    void doesNotRetryAClaimAfterAConsumerGenerationConflict() {
        answers.add(answer(409, CONCURRENT.formatted("consumer generation conflict - expected null but got 1")));
        assertThat(await(client.putAllocations(claim(), "r"))).isEqualTo(new ClaimResult.ConsumerChanged(
                CONSUMER, null, "consumer generation conflict - expected null but got 1"));
        answers.add(answer(409, CONCURRENT.formatted(
                "There was a conflict when trying to complete your request.\\n\\n consumer generation conflict -"
                        + " expected 0 but got None  ")));
        assertThat(await(client.putAllocations(claim(), "r"))).isInstanceOfSatisfying(
                ClaimResult.ConsumerChanged.class, changed -> assertThat(changed.generation()).isZero());
        answers.add(answer(409, "{\"errors\":[{\"code\":\"placement.undefined_code\",\"detail\":\"full\"}]}"));
        assertThat(await(client.putAllocations(claim(), "r")))
                .isEqualTo(new ClaimResult.Refused("placement.undefined_code", "full"));
    }

    @Test
    void readsTheAllocationsOfAConsumer() {
        answers.add(answer(200, """
                {"allocations": {"%s": {"resources": {"VCPU": 2}, "generation": 9}},
                 "consumer_generation": 4, "project_id": "p", "user_id": "u"}""".formatted(HOST)));
        assertThat(await(client.getAllocations(CONSUMER, "r"))).isEqualTo(
                new AllocationsResult.Allocations(Map.of(HOST, Map.of("VCPU", 2L)), 4L, "p", "u"));
        answers.add(answer(200, "{\"allocations\": {}}"));
        assertThat(await(client.getAllocations(CONSUMER, "r"))).isEqualTo(AllocationsResult.Allocations.NOTHING);
    }

    @Test
    void reportsWhetherAnythingWasReleased() {
        answers.add(answer(204, ""));
        assertThat(await(client.deleteAllocations(CONSUMER, null, "r"))).isEqualTo(new ReleaseResult.Released());
        answers.add(answer(404, "{\"errors\":[{\"status\":404}]}"));
        assertThat(await(client.deleteAllocations(CONSUMER, null, "r"))).isEqualTo(new ReleaseResult.NothingHeld());
    }

    @Test
    void doesNotRetryAReleaseWithoutAResponse() {
        answers.add(answer(503, ""));
        answers.add(answer(204, ""));
        assertThat(await(client.deleteAllocations(CONSUMER, null, "r"))).isInstanceOf(ReleaseResult.Unreachable.class);
        assertThat(seen).hasSize(1);
    }

    /** Such responses come from a proxy that cannot reach placement, or that limits requests. */
    @ParameterizedTest
    @ValueSource(ints = {301, 400, 404, 408, 409, 414, 429})
    void treatsErrorPagesOfAProxyAsUnreachable(int status) {
        Consumer<HttpServerRequest> proxys = answer(status, "<html>" + status + "</html>");
        answers.addAll(Collections.nCopies(10, proxys));
        assertThat(await(client.allocationCandidates("q", "r"))).isInstanceOf(CandidatesResult.Unreachable.class);
        assertThat(await(client.putAllocations(claim(), "r"))).isInstanceOf(ClaimResult.Unreachable.class);
        assertThat(await(client.deleteAllocations(CONSUMER, null, "r"))).isInstanceOf(ReleaseResult.Unreachable.class);
        assertThat(await(client.getAllocations(CONSUMER, "r"))).isInstanceOf(AllocationsResult.Unreachable.class);
        assertThat(await(client.listProviders("r"))).isInstanceOf(ProvidersResult.Unreachable.class);
    }

    @Test
    void reportsRefusedCredentialsOfAWhatIfRequest() {
        answers.add(answer(401, "{}"));
        assertThat(await(client.whatIf(new byte[0], Duration.ofMinutes(5), "r"))).isInstanceOfSatisfying(
                WhatIfResult.Unreachable.class, answer -> assertThat(answer.why()).contains("berth.placement-auth"));
    }

    private static final String ELSEWHERE = """
            {"errors":[{"status":409,"title":"Conflict","code":"berth.view_elsewhere","detail":"another replica"}]}""";

    private WhatIfResult requestWhatIf() {
        return await(client.whatIf("{}".getBytes(StandardCharsets.UTF_8), Duration.ofMinutes(5), "r"));
    }

    /** Uses other connections, too, because a balancer may choose a replica for each connection. */
    @Test
    void retriesUntilTheReplicaThatKeepsTheViewResponds() {
        List<SocketAddress> from = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Consumer<HttpServerRequest> next = i < 3 ? answer(409, ELSEWHERE) : answer(200, "{}");
            answers.add(request -> {
                from.add(request.remoteAddress());
                next.accept(request);
            });
        }
        assertThat(requestWhatIf()).isInstanceOf(WhatIfResult.Received.class);
        assertThat(from.get(1)).isEqualTo(from.get(0));
        assertThat(from.get(2)).isNotEqualTo(from.get(0)).isEqualTo(from.get(3));
    }

    @Test
    void givesUpAViewThatNoReplicaKeeps() {
        answers.addAll(Collections.nCopies(PlacementClient.VIEW_ATTEMPTS_MAX, answer(409, ELSEWHERE)));
        assertThat(requestWhatIf()).isEqualTo(new WhatIfResult.ViewLost());
        assertThat(seen).hasSize(PlacementClient.VIEW_ATTEMPTS_MAX);
        answers.add(answer(409, ELSEWHERE.replace("elsewhere", "gone")));
        assertThat(requestWhatIf()).as("a replica reports it as gone").isEqualTo(new WhatIfResult.ViewLost());
    }

    @Test
    void failsAtOnceWhileTheBreakerIsOpen() {
        for (int i = 0; i < 20; i++) {
            answers.add(answer(500, ""));
            await(client.putAllocations(claim(), "r"));
        }
        assertThat(await(client.putAllocations(claim(), "r"))).as("no claim in doubt: nothing was sent")
                .isEqualTo(new ClaimResult.Denied(
                        503, "placement is unavailable: placement circuit breaker is open"));
        assertThat(seen).hasSize(20);
    }

    @Test
    void earlierFailuresDoNotOpenTheBreakerOnceClaimsSucceed() {
        for (int i = 0; i < 19; i++) {
            answers.add(answer(500, ""));
            await(client.putAllocations(claim(), "r"));
        }
        for (int i = 0; i < 40; i++) {
            answers.add(answer(204, ""));
            assertThat(await(client.putAllocations(claim(), "r"))).as("claim %s", i)
                    .isEqualTo(new ClaimResult.Claimed(CONSUMER));
        }
    }

    @Test
    void aRefusedConnectionLeavesNoClaimInDoubt() {
        server.close().toCompletionStage().toCompletableFuture().join();
        assertThat(await(client.putAllocations(claim(), "r")))
                .isInstanceOfSatisfying(ClaimResult.Denied.class, denied -> {
                    assertThat(denied.isRequestInvalid()).isFalse();
                    assertThat(denied.why()).startsWith("placement is unavailable: ").contains("refused");
                });
    }
}
