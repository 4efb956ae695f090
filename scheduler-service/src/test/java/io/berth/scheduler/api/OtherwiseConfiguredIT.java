package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the packaged scheduler with other options: unknown names are accepted as in nova, few candidates per query,
 * routed networks.
 */
@Tag("process")
class OtherwiseConfiguredIT {
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.scheduler.strict-names", "false",
            "berth.scheduler.scheduler.max-placement-results", "2",
            "berth.scheduler.scheduler.query-placement-for-routed-network-aggregates", "true"));

    private final Fleet fleet = new Fleet();

    @Test
    void acceptsUnknownNamesAsNovaDoes() {
        fleet.host("a", 8);
        select(fleet.body(instances(1), ",\"availability_zone\":\"nowhere\"")).then().statusCode(200);
        select(fleet.body(instances(1), ",\"scheduler_hints\":{\"group\":\"" + UUID.randomUUID() + "\"}"))
                .then().statusCode(200);
        select(fleet.body(instances(1), ",\"request_level_params\":{\"root_required\":[\"CUSTOM_NOBODYS\"]}"))
                .then().statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", startsWith("placement refused the query: "))
                .body("errors[0].detail", containsString(" No such trait(s): CUSTOM_NOBODYS.; see /v1/decisions/"));
    }

    /** The other hosts, as a JSON list. */
    private String withoutOne(List<String> names, String wanted) {
        return names.stream()
                .filter(name -> !name.equals(wanted))
                .map(name -> "\"" + fleet.name(name) + "\"")
                .toList()
                .toString();
    }

    @Test
    void queriesAllCandidatesBeforeItRefuses() {
        List<String> names = List.of("a", "b", "c", "d");
        names.forEach(name -> fleet.host(name, 8));
        for (String wanted : names) {
            String others = withoutOne(names, wanted);
            select(fleet.body(instances(1), ",\"ignore_hosts\":" + others)).then()
                    .statusCode(200)
                    .body("selections[0][0].host", equalTo(fleet.name(wanted)));
        }
    }

    /** The decision within an explanation is the one that a real request would get. */
    @Test
    void explainsWithAllCandidatesBeforeItRefuses() {
        List<String> names = List.of("a", "b", "c", "d");
        names.forEach(name -> fleet.host(name, 8));
        for (String wanted : names) {
            String others = withoutOne(names, wanted);
            admin()
                    .body("{\"hosts\": [\"" + fleet.name(wanted) + "\"], \"request_spec\": "
                            + fleet.spec(1, ",\"ignore_hosts\":" + others) + "}")
                    .post("/v1/explanations").then()
                    .statusCode(200)
                    .body("hosts[0].verdict", equalTo("chosen"))
                    .body("hosts[0].rank", equalTo(1))
                    .body("complete", equalTo(true));
        }
    }

    @Test
    void restrictsHostsToTheAggregatesOfTheirNetworkSegment() {
        String segment = UUID.randomUUID().toString();
        String network = ",\"requested_networks\":[{\"network_id\":\"n\",\"segment_ids\":[\"" + segment + "\"]}]";
        fleet.host("elsewhere", 16);
        String reaching = fleet.host("reaching", 8);
        select(fleet.body(instances(1), network)).then()
                .statusCode(409)
                .body("errors[0].detail",
                        startsWith("no aggregate for network segment " + segment + "; see /v1/decisions/"));
        String aggregate = UUID.randomUUID().toString();
        placement().body(Map.of("name", "segment " + segment, "uuid", segment)).post("/resource_providers")
                .then().statusCode(200);
        join(segment, 0, aggregate);
        join(reaching, 2, aggregate);
        select(fleet.body(instances(1), network)).then()
                .statusCode(200)
                .body("selections[0][0].host", equalTo(fleet.name("reaching")));
    }

    private static void join(String provider, int generation, String aggregate) {
        placement().body(Map.of("resource_provider_generation", generation, "aggregates", List.of(aggregate)))
                .put("/resource_providers/" + provider + "/aggregates").then().statusCode(200);
    }
}
