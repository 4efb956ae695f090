package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests decisions and analyses as JSON and as plain text. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class ResponseTextIT {
    private final Fleet fleet = new Fleet();

    /** Returns the text after checks of the headers of both forms. Repeats the request while the fleet changes. */
    private static String text(String outcome, Function<RequestSpecification, Response> call) {
        Response[] responses = new Response[2];
        eventually("both responses are complete", () -> {
            responses[0] = call.apply(admin().accept("text/plain"));
            responses[1] = call.apply(admin());
            return Stream.of(responses).noneMatch(response -> "incomplete".equals(response.header("berth-answer")));
        });
        for (Response response : responses) {
            assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
            assertThat(response.header("berth-answer")).as(response.asString()).isEqualTo(outcome);
            assertThat(response.header("vary")).isEqualToIgnoringCase("accept");
        }
        assertThat(responses[0].header("content-type")).isEqualToIgnoringCase("text/plain;charset=UTF-8");
        assertThat(responses[1].header("content-type"))
                .isEqualTo(admin().get("/v1/options").header("content-type"))
                .startsWith("application/json");
        responses[1].jsonPath().getMap("$");
        assertThat(responses[0].asString()).endsWith("\n").satisfies(text -> assertThat(text.lines()).allMatch(
                line -> line.length() < 100 || line.strip().startsWith("{")));
        return responses[0].asString();
    }

    private static String post(String outcome, String path, String body) {
        return text(outcome, request -> request.body(body).post(path));
    }

    @Test
    void returnsADecisionAsText() {
        fleet.host("a", 8);
        String id = select(fleet.body(instances(1), "")).then().statusCode(200).extract().path("decision_id");
        assertThat(text("yes", request -> request.get("/v1/decisions/" + id)))
                .startsWith("decision " + id + ": selected\n")
                .contains("\n  on " + fleet.name("a") + "\n", "hosts that placement offers", "  chosen\n")
                .contains("Milliseconds: ");
        assertThat(text("yes", request -> request.get("/v1/decisions/" + id + "?detail=tenant")))
                .startsWith("decision " + id + ": selected\n")
                .doesNotContain(fleet.name("a"));
        String huge = fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900");
        String refused = DecisionRecordsIT.idOf(select(huge));
        assertThat(text("no", request -> request.get("/v1/decisions/" + refused)))
                .startsWith("decision " + refused + ": no_valid_host\n")
                .contains("provider trees there are", "resources=VCPU:900", "  Nearest: " + fleet.name("a"));
    }

    @Test
    void returnsAnExplanationAsText() {
        fleet.host("a", 8);
        String of = "{\"timeout_s\": 60, \"hosts\": [\"" + fleet.name("a") + "\"], \"request_spec\": %s}";
        assertThat(post("yes", "/v1/explanations", of.formatted(fleet.spec(1, ""))))
                .startsWith(fleet.name("a") + ": chosen");
        assertThat(post("no", "/v1/explanations", of.formatted(fleet.spec(16, ""))))
                .startsWith(fleet.name("a") + ": rejected\n\n  stage      by ")
                .contains("what is in the way", "8 VCPU free, 16 are wanted")
                .contains("  Enough would be:\n", "      PUT /resource_providers/");
    }

    @Test
    void returnsACountAsText() {
        fleet.host("a", 8);
        String of = "{\"timeout_s\": 60, \"requests\": [{\"name\": \"f\", \"request_spec\": %s}], \"by\": [\"zone\"]}";
        assertThat(post("yes", "/v1/capacity", of.formatted(fleet.spec(2, ""))))
                .startsWith("f: 4 more\n\n  zone  more\n  nova     4  |########################|\n")
                .contains("\n\n  What stops the next one: ");
        assertThat(post("no", "/v1/capacity", of.formatted(fleet.spec(9, "")))).startsWith("f: 0 more\n");
    }

    @Test
    void returnsAScenarioAsText() {
        fleet.register(fleet.host("a", 8), "a", Fleet.cell("c"));
        String disabled = "{\"timeout_s\": 60, \"changes\": [{\"disable\": {\"hosts\": [\"%s\"]}}], \"ask\": %s}";
        String count = "{\"capacity\": [{\"name\": \"f\", \"request_spec\": " + fleet.spec(2, "") + "}]}";
        assertThat(post("no", "/v1/what_if", disabled.formatted(fleet.name("a"), count)))
                .isEqualTo("  flavor  fit now  then\n  f             4     0\n");
        String drain = "{\"drain\": {\"hosts\": [\"" + fleet.name("a") + "\"]}}";
        assertThat(post("yes", "/v1/what_if", disabled.formatted(fleet.name("a"), drain)))
                .isEqualTo("0 of 0 instances would have a place\n");
    }

    @Test
    void returnsAProposalAsText() {
        fleet.register(fleet.host("a", 8), "a", Fleet.cell("c"));
        String of = "{\"timeout_s\": 60, \"goal\": {\"make_room\": {\"count\": %d, \"request_spec\": %s}}}";
        assertThat(post("yes", "/v1/proposals", of.formatted(4, fleet.spec(2, ""))))
                .startsWith("make_room: reached with 0 moves. 4 of 4 instances fit then, 4 now\n");
        assertThat(post("no", "/v1/proposals", of.formatted(5, fleet.spec(2, ""))))
                .startsWith("make_room: not reached, 0 moves. 4 of 5 instances fit then, 4 now\n")
                .contains("What prevents more: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain, application/json", "application/json, text/plain, */*", "*/*"})
    void returnsJsonUnlessTextIsPreferred(String accepted) {
        fleet.host("a", 8);
        String id = select(fleet.body(instances(1), "")).then().statusCode(200).extract().path("decision_id");
        admin().header("accept", accepted).get("/v1/decisions/" + id).then()
                .statusCode(200)
                .body("decision_id", equalTo(id));
    }

    /** This holds for every route. */
    @Test
    void refusesOtherMediaTypes() {
        admin().header("accept", "text/html").get("/v1/decisions").then().statusCode(406);
        admin().header("accept", "text/html").get("/v1/decisions/01a22669-fd33-79a4-bcb4-2bcdbf56c4dd").then()
                .statusCode(406);
    }

    @Test
    void errorsAreAlwaysJson() {
        admin().accept("text/plain").get("/v1/decisions/01a22669-fd33-79a4-bcb4-2bcdbf56c4dd").then()
                .statusCode(404).body("errors[0].code", equalTo("scheduler.not_found"));
        admin().accept("text/plain").body("{}").post("/v1/capacity").then()
                .statusCode(400).body("errors[0].code", equalTo("scheduler.request_invalid"));
    }
}
