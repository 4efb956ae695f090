package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The chance driver: it selects random hosts that are up, and claims nothing. */
@Tag("process")
class ChanceDriverIT {
    /** The driver is named by its short name. */
    @RegisterExtension
    static final PackagedScheduler SCHEDULER =
            new PackagedScheduler(Map.of("berth.scheduler.scheduler.driver", "chance_scheduler"));

    private final Fleet fleet = new Fleet();

    /** The chance driver ignores traits, so the request must name the hosts of other tests in ignore_hosts. */
    private String ignoring(String... own) {
        List<String> others = new ArrayList<>(placement().get("/resource_providers").jsonPath().getList(
                "resource_providers.name", String.class));
        others.addAll(admin().get("/v1/compute_nodes").jsonPath().getList("compute_nodes.host", String.class));
        others.removeAll(List.of(own));
        return ",\"ignore_hosts\":[\"" + String.join("\",\"", others) + "\"]";
    }

    @Test
    void selectsAnyHostThatIsUpWithoutAClaim() {
        String unregistered = fleet.host("unregistered", 1);
        String up = fleet.host("up", 1);
        String disabled = fleet.host("disabled", 1);
        String down = fleet.host("down", 8);
        admin().body("{\"host\":\"%s\",\"service\":{}}".formatted(fleet.name("up")))
                .put("/v1/compute_nodes/" + up).then().statusCode(201);
        admin().body("{\"host\":\"%s\",\"service\":{\"disabled\":true}}".formatted(fleet.name("disabled")))
                .put("/v1/compute_nodes/" + disabled).then().statusCode(201);
        admin().body("{\"host\":\"%s\",\"service\":{\"forced_down\":true}}".formatted(fleet.name("down")))
                .put("/v1/compute_nodes/" + down).then().statusCode(201);
        String ignored = ignoring(
                fleet.name("unregistered"), fleet.name("up"), fleet.name("disabled"), fleet.name("down"));

        // Twenty draws from two hosts miss one of them once in half a million runs.
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            List<String> one = instances(1);
            Response answer = Fleet.select(fleet.body(one, ignored).replace("\"vcpus\": 1", "\"vcpus\": 900"));
            answer.then()
                    .statusCode(200)
                    .body("selections[0]", hasSize(2))
                    .body("selections[0].allocation_request", everyItem(nullValue()));
            drawn.add(answer.jsonPath().getString("selections[0][0].compute_node_uuid"));
            assertThat(allocations(one.getFirst())).isEmpty();
        }
        assertThat(drawn).containsExactlyInAnyOrder(unregistered, up);

        Response two = Fleet.select(fleet.body(instances(2), ignored));
        assertThat(two.jsonPath().getList("selections.collect { it[0].compute_node_uuid }", String.class))
                .containsExactlyInAnyOrder(unregistered, up);
        two.then().body("selections[0]", hasSize(1));

        Fleet.select(fleet.body(instances(1), ignoring())).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", startsWith("Could not find another compute; see /v1/decisions/"));
    }

    /** This driver could not carry out the moves. */
    @Test
    void refusesToProposeMoves() {
        admin().body("{\"goal\": {\"spread\": {\"resource_class\": \"VCPU\"}}}").post("/v1/proposals").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", startsWith("moves need the filter_scheduler: chance_scheduler"));
    }
}
