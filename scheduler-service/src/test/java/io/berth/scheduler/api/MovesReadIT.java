package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads, lists, confirms and reverts moves through {@code /v1/moves}, against a real Placement. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class MovesReadIT {
    private final Fleet fleet = new Fleet();
    private final String migration = UUID.randomUUID().toString();

    private Response move(String kind, String instance, String source) {
        return move(kind, instance, migration, source);
    }

    private Response move(String kind, String instance, String as, String source) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, as, source, fleet.spec(1, ""))).post("/v1/moves");
    }

    private ValidatableResponse read() {
        return admin().get("/v1/moves/" + migration).then();
    }

    private ValidatableResponse end(String how) {
        return admin().post("/v1/moves/" + migration + "/" + how).then();
    }

    private String placeNamed(String name, String host) {
        String instance = UUID.randomUUID().toString();
        Fleet.select(fleet.body(List.of(instance), ",\"name\": \"" + name + "\",\"force_hosts\":[\"" + host + "\"]"))
                .then().statusCode(200);
        return instance;
    }

    @Test
    void returnsStateSourceDestinationAndUserOfAMove() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = placeNamed(fleet.name("web"), fleet.name("a"));
        fleet.register(a, "a", Fleet.cell("c"));
        move("cold", instance, a).then().statusCode(200);
        read().statusCode(200)
                .body("migration_uuid", equalTo(migration))
                .body("instance_uuid", equalTo(instance))
                .body("instance_name", equalTo(fleet.name("web")))
                .body("kind", equalTo("cold"))
                .body("state", equalTo("moved"))
                .body("source.compute_node_uuid", equalTo(a))
                .body("source.host", equalTo(fleet.name("a")))
                .body("destination.compute_node_uuid", equalTo(b))
                .body("destination.host", equalTo(fleet.name("b")))
                .body("user_id", equalTo("admin"))
                .body("request_id", startsWith("req-"))
                .body("begun_at", notNullValue())
                .body("since", notNullValue());
    }

    @Test
    void returnsAFailedMoveWithoutADestination() {
        String a = fleet.host("a", 4);
        String instance = fleet.instanceOn("a");
        move("cold", instance, a).then().statusCode(409);
        read().statusCode(200).body("state", equalTo("failed")).body("destination", nullValue());
        end("confirm").statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo(
                        "the move is in state failed; only a move in state moved can be confirmed or reverted"));
    }

    @Test
    void listsMovesNewestFirstByPageAndByInstance() {
        String a = fleet.host("a", 4);
        fleet.host("b", 4);
        String instance = placeNamed(fleet.name("web"), fleet.name("a"));
        move("cold", instance, a).then().statusCode(200);
        end("revert").statusCode(200);
        String second = UUID.randomUUID().toString();
        move("cold", instance, second, a).then().statusCode(200);
        for (String meant : List.of(instance, fleet.name("web"))) {
            admin().queryParam("instance", meant).get("/v1/moves").then().statusCode(200)
                    .body("moves.migration_uuid", contains(second, migration))
                    .body("moves.state", contains("moved", "reverted"))
                    .body("moves_links", nullValue());
        }
        String next = admin().get("/v1/moves?limit=1&instance=" + instance).then().statusCode(200)
                .body("moves.migration_uuid", contains(second))
                .extract().path("moves_links[0].href");
        admin().urlEncodingEnabled(false).get("/v1/moves" + next).then().statusCode(200)
                .body("moves.migration_uuid", contains(migration))
                .body("moves_links", nullValue());
        admin().get("/v1/moves?limit=1").then().statusCode(200).body("moves", hasSize(1));
        admin().get("/v1/moves?limit=1&marker=" + second).then().statusCode(200).body("moves", hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cold", "live"})
    void confirmingReleasesTheSourceAndCanBeRepeated(String kind) {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        String response = move(kind, instance, a).then().statusCode(200).extract().asString();
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        for (int i = 0; i < 2; i++) {
            end("confirm").statusCode(200)
                    .body("migration_uuid", equalTo(migration))
                    .body("instance_uuid", equalTo(instance))
                    .body("kind", equalTo(kind))
                    .body("state", equalTo("confirmed"));
            assertThat(allocations(migration)).isEmpty();
            assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        }
        read().body("state", equalTo("confirmed")).body("destination.host", equalTo(fleet.name("b")));
        end("revert").statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo(
                        "the move is in state confirmed; only a move in state moved can be confirmed or reverted"));
        assertThat(move(kind, instance, a).then().statusCode(200).extract().asString()).isEqualTo(response);
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
    }

    @Test
    void confirmingAnEvacuationReleasesTheLostHost() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("evacuate", instance, a).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1), b, amounts(1)));
        for (int i = 0; i < 2; i++) {
            end("confirm").statusCode(200).body("state", equalTo("confirmed"));
            assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        }
    }

    @Test
    void refusesToConfirmAnEvacuationWhoseAllocationsHaveChanged() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("evacuate", instance, a).then().statusCode(200);
        Fleet.hold(instance, a);
        end("confirm").statusCode(409)
                .body("errors[0].detail", equalTo("the instance holds other allocations than this move left it with"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        read().body("state", equalTo("moved"));
        placement().get("/resource_providers/" + b + "/usages").then().body("usages.VCPU", equalTo(0));
    }

    /** Clients confirmed this way before the scheduler had a route for it. */
    @Test
    void confirmsAMoveThatWasConfirmedInPlacement() {
        String a = fleet.host("a", 4);
        fleet.host("b", 4);
        move("cold", fleet.instanceOn("a"), a).then().statusCode(200);
        placement().delete("/allocations/" + migration).then().statusCode(204);
        end("confirm").statusCode(200).body("state", equalTo("confirmed"));
    }

    @Test
    void refusesToConfirmARevertedMove() {
        String a = fleet.host("a", 4);
        fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("cold", instance, a).then().statusCode(200);
        end("revert").statusCode(200);
        end("confirm").statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo(
                        "the move is in state reverted; only a move in state moved can be confirmed or reverted"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void returnsNotFoundForUnknownMoves() {
        for (String none : List.of(migration, "first")) {
            for (Response absent : List.of(
                    admin().get("/v1/moves/" + none), admin().post("/v1/moves/" + none + "/confirm"))) {
                absent.then().statusCode(404)
                        .body("errors[0].detail", equalTo("there is no move of migration " + none));
            }
        }
        admin().get("/v1/moves?instance=" + fleet.name("nobody")).then().statusCode(404);
        for (String wrong : List.of("limit=0", "marker=x", "what=1", "limit=1&limit=2")) {
            admin().get("/v1/moves?" + wrong).then().statusCode(400);
        }
    }
}
