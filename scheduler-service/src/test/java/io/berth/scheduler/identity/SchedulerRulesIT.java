package io.berth.scheduler.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.identity.policy.DefaultRule;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the policy rules of the scheduler's routes and the roles that they require. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SchedulerRulesIT {
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "POST, /v1/select_destinations, scheduler:select_destinations",
        "POST, /v1/select_destinations/, scheduler:select_destinations",
        "POST, /v1;a=b/select_destinations, scheduler:select_destinations",
        "POST, /v1/select_destinations;a=b, scheduler:other",
        "POST, /v1/reschedule, scheduler:reschedule",
        "POST, /v1/moves, scheduler:moves",
        "POST, /v1/moves/m1/revert, scheduler:moves",
        "POST, /v1/moves/m1/confirm, scheduler:moves:confirm",
        "GET, /v1/moves, scheduler:moves:show",
        "GET, /v1/moves/m1, scheduler:moves:show",
        "GET, /v1/drains, scheduler:drains:show",
        "GET, /v1/drains/d, scheduler:drains:show",
        "GET, /v1/drains/d/next, scheduler:drains:next",
        "GET, /v1/drains/next, scheduler:drains:show",
        "PUT, /v1/drains/d, scheduler:drains:update",
        "DELETE, /v1/drains/d, scheduler:drains:update",
        "HEAD, /v1/drains/d, scheduler:drains:update",
        "GET, /v1/placement_sync, scheduler:placement_sync:show",
        "POST, /v1/simulations, scheduler:simulations",
        "POST, /v1/explanations, scheduler:explanations",
        "POST, /v1/what_if, scheduler:what_if",
        "POST, /v1/proposals, scheduler:what_if",
        "GET, /v1/decisions/d1, scheduler:decisions:show",
        "GET, /v1/options, scheduler:options:show",
        "GET, /v1/caller, scheduler:caller:show",
        "GET, /v1/replica, scheduler:replica:show",
        "GET, /v1/audit, scheduler:audit:show",
        "GET, /v1/changes, scheduler:changes:show",
        "GET, /v1/fleet, scheduler:fleet:show",
        "GET, /v1/fleet/p1, scheduler:fleet:show",
        "PUT, /v1/fleet/p1/inventories/VCPU, scheduler:fleet:update",
        "GET, /v1/cells, scheduler:registry:show",
        "GET, /v1/instances/i1, scheduler:registry:show",
        "HEAD, /v1/instances/i1, scheduler:registry:update",
        "PUT, /v1/compute_nodes/c1, scheduler:registry:update",
        "POST, /v1/services, scheduler:registry:update",
        "DELETE, /v1/services/s1, scheduler:registry:update",
        "POST, /v1/services/s1/heartbeat, scheduler:services:heartbeat",
        "POST, /v1/services/heartbeats, scheduler:services:heartbeat",
        "GET, /v1/made_tomorrow, scheduler:other",
        "GET, /v1, scheduler:other",
        "GET, /nothing, scheduler:other"})
    void everyRequestHasARule(String method, String path, String rule) {
        assertThat(SchedulerRules.ruleOf(HttpMethod.valueOf(method), path)).isEqualTo(rule);
        assertThat(new SchedulerRules().rules()).extracting(DefaultRule::name).contains(rule);
    }

    @ParameterizedTest(name = "{0} {1} by {2}: {3}")
    @CsvSource({
        "GET, /v1/cells, admin, 200",
        "GET, /v1/cells, service, 200",
        "GET, /v1/cells, reader, 403",
        "GET, /v1/cells, member, 403",
        "GET, /v1/decisions, reader, 403",
        "GET, /v1/fleet, reader, 403",
        "POST, /v1/simulations, reader, 403",
        "GET, /v1/options, reader, 403",
        "DELETE, /v1/cells/11111111-1111-4111-8111-111111111111, reader, 403",
        "DELETE, /v1/cells/11111111-1111-4111-8111-111111111111, service, 404",
        "POST, /v1/select_destinations, reader, 403",
        "POST, /v1/moves, reader, 403",
        "GET, /v1/moves, reader, 403",
        "GET, /v1/moves, service, 200",
        "POST, /v1/moves/11111111-1111-4111-8111-111111111111/confirm, reader, 403",
        "POST, /v1/services/11111111-1111-4111-8111-111111111111/heartbeat, reader, 403",
        "GET, /v1/drains, reader, 403",
        "GET, /v1/drains, service, 200",
        "GET, /v1/drains/d/next, reader, 403",
        "GET, /v1/drains/d/next, service, 404",
        "PUT, /v1/drains/d, reader, 403",
        "DELETE, /v1/drains/d, reader, 403",
        "DELETE, /v1/drains/d, service, 404",
        "GET, /v1/made_tomorrow, reader, 403",
        "GET, /v1/made_tomorrow, admin, 404"})
    void allowsOrForbidsRoutesByRole(String method, String path, String role, int status) {
        given().header("x-auth-token", "joe").header("x-roles", role).request(method, path).then().statusCode(status);
    }

    @Test
    void joinsRepeatedIdentityHeaders() {
        given().header("x-auth-token", "admin", "bob").get("/v1/cells").then().statusCode(403);
        given().header("x-auth-token", "joe").header("x-roles", "member", "service").get("/v1/cells").then()
                .statusCode(200);
    }

    @Test
    void namesTheRuleThatForbids() {
        given().header("x-auth-token", "joe").get("/v1/cells").then()
                .statusCode(403)
                .body("errors[0].code", equalTo("scheduler.forbidden"))
                .body("errors[0].detail", equalTo("the policy does not allow scheduler:registry:show"));
    }

    @Test
    void refusesASystemScopedCaller() {
        given().header("x-auth-token", "admin").header("openstack-system-scope", "all").get("/v1/cells").then()
                .statusCode(403);
    }

    /** The routing ignores what follows a semicolon, so each of these paths used to be served without it. */
    @ParameterizedTest
    @CsvSource({
        "GET, /v1/audit;a, service",
        "GET, /v1/audit;a=b;c, service",
        "POST, /v1/cells;a, reader",
        "GET, /v1;a/audit, service",
        "GET, /v1/cells;a?nonsense=1, reader"})
    void respondsWith404ToPathsWithSemicolons(String method, String path, String role) {
        given().urlEncodingEnabled(false)
                .header("x-auth-token", "joe").header("x-roles", role)
                .contentType("application/json").body("{}")
                .request(method, path).then().statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "///", "//?a=b", "//:80", "//[", "//v1", "/[", "//v1/cells"})
    void respondsToTargetsWithSurplusSlashesAsToUnknownPaths(String target) {
        try (var client = RawConnection.to("http://127.0.0.1:" + RestAssured.port)) {
            String end = " HTTP/1.1\r\nHost: a\r\n";
            RawConnection.Response anonymous = client.send("GET " + target + end + "\r\n").readResponse();
            assertThat(anonymous.status()).isEqualTo(401);
            assertThat(anonymous.body()).contains("scheduler.unauthorized");
            RawConnection.Response authenticated = client.send("GET " + target + end + "X-Auth-Token: admin\r\n\r\n")
                    .readResponse();
            assertThat(authenticated.status()).isEqualTo(404);
            assertThat(authenticated.body()).contains("\"status\":404");
        }
    }

    @Test
    void neverServesOtherSpellingsOfAPathWithoutAToken() {
        String[] paths = {"/v1;a=b/cells", "//v1/cells", "/%76%31/cells", "/q/../v1/cells", "/v1/./cells"};
        for (String path : paths) {
            int status = given().urlEncodingEnabled(false).get(path).statusCode();
            assertThat(status).as(path).isIn(401, 404);
        }
    }
}
