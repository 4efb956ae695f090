package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The caching driver, which reads all hosts once, at the first request, and claims nothing. */
@Tag("process")
class CachingDriverIT {
    /** The driver is named by nova's class path; the hosts are not read again during the test. */
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.scheduler.scheduler.driver", "nova.scheduler.caching_scheduler.CachingScheduler",
            "berth.scheduler.scheduler.periodic-task-interval", "3600"));

    private final Fleet fleet = new Fleet();

    private void chargesHostsThatFiltersRemoveForALaterInstance(String cell, String first, String next) {
        String group = ",\"instance_group\":{\"policy\":\"anti-affinity\"}";
        String spec = fleet.spec(3, group + ",\"requested_destination\":{\"cell\":{\"uuid\":\"" + cell + "\"}}");
        admin().body("{\"instance_uuids\":[\"%s\"],\"return_alternates\":true,\"request_spec\":%s}"
                .formatted(String.join("\",\"", Fleet.instances(2)), spec)).post("/v1/select_destinations").then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(first));
        // Free VCPUs are now 3 on far, 2 on near and 4 on next.
        place(UUID.randomUUID().toString(), cell, 1).then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(next));
    }

    /** Requests a host in the cell, with alternates. */
    private Response place(String instance, String cell, int vcpus) {
        String spec = fleet.spec(vcpus, ",\"requested_destination\":{\"cell\":{\"uuid\":\"" + cell + "\"}}");
        return admin().body("{\"instance_uuids\":[\"%s\"],\"return_alternates\":true,\"request_spec\":%s}"
                .formatted(instance, spec)).post("/v1/select_destinations");
    }

    @Test
    void selectsFromTheCachedHostsAndChargesThemWithoutClaims() {
        String cell = Fleet.cell("cached");
        String large = fleet.host("large", 4);
        String small = fleet.host("small", 3);
        String disabled = fleet.host("disabled", 16);
        fleet.register(large, "large", cell);
        fleet.register(small, "small", cell);
        admin()
                .body("{\"host\":\"%s\",\"cell_uuid\":\"%s\",\"service\":{\"disabled\":true}}"
                        .formatted(fleet.name("disabled"), cell))
                .put("/v1/compute_nodes/" + disabled).then().statusCode(201);

        String apart = Fleet.cell("apart");
        String far = fleet.host("far", 6);
        fleet.register(far, "far", apart);
        fleet.register(fleet.host("near", 5), "near", apart);
        String next = fleet.host("next", 4);
        fleet.register(next, "next", apart);

        // Free VCPUs are 4 against 3, then 2 against 3, then 2 against 1: each earlier selection is charged.
        for (String expected : new String[] {large, small, large}) {
            String instance = UUID.randomUUID().toString();
            place(instance, cell, 2).then()
                    .statusCode(200)
                    .body("selections", hasSize(1))
                    .body("selections[0]", hasSize(2))
                    .body("selections[0][0].compute_node_uuid", equalTo(expected))
                    .body("selections[0][0].allocation_request", nullValue());
            assertThat(allocations(instance)).isEmpty();
            admin().get("/v1/instances/" + instance).then().statusCode(200);
        }
        for (String host : new String[] {large, small}) {
            placement().get("/resource_providers/" + host + "/usages").then().body("usages.VCPU", equalTo(0));
        }

        chargesHostsThatFiltersRemoveForALaterInstance(apart, far, next);

        // A host that was added after the reading is unknown.
        String late = Fleet.cell("late");
        fleet.register(fleet.host("late", 4), "late", late);
        place(UUID.randomUUID().toString(), late, 1).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"));

        // Selections no longer need placement. Moves do, because they need claims.
        PackagedPlacement.proxy().cut();
        place(UUID.randomUUID().toString(), cell, 1).then().statusCode(200);
        PackagedPlacement.proxy().restore();
        admin().body("""
                {"kind": "live", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(UUID.randomUUID(), UUID.randomUUID(), large, fleet.spec(1, "")))
                .post("/v1/moves").then()
                .statusCode(409)
                .body("errors[0].detail", equalTo("moves need the filter_scheduler: caching_scheduler claims nothing"));
    }
}
