package io.berth.scheduler.placementsync;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.http.ScriptedPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the sync of one resource provider against a placement with prepared responses. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ProviderSyncIT {
    private static final UUID NODE = UUID.fromString("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa");
    private static final UUID AGGREGATE = UUID.fromString("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb");
    private static final String PATH = "/resource_providers/" + NODE;
    private static final String MOVED =
            "{\"errors\":[{\"status\":409,\"code\":\"placement.concurrent_update\",\"detail\":\"moved\"}]}";

    @Inject
    ConfiguredOptions options;

    private final ScriptedPlacement placement = new ScriptedPlacement();

    @AfterEach
    void close() {
        placement.close();
    }

    private ProviderResult update(Boolean disabled, Set<UUID> joined) {
        return update(new ProviderUpdate(NODE, "host", disabled, joined, Set.of(), null, false));
    }

    private ProviderResult update(ProviderUpdate change) {
        return new ProviderSync(placement.resourceProviders(), placement.vocabulary(), options)
                .sync(change, "req-1")
                .await().atMost(Duration.ofMinutes(5));
    }

    private static String traits(int generation, String list) {
        return "{\"traits\":[" + list + "],\"resource_provider_generation\":" + generation + "}";
    }

    @Test
    void rereadsAfterAConflictAndKeepsTheOtherClientsTraits() {
        placement.then(200, traits(1, "")).then(409, MOVED).then(200, traits(2, "\"CUSTOM_THEIRS\"")).then(200, "{}");
        assertThat(update(true, Set.of())).isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).hasSize(4).last().isEqualTo("PUT " + PATH
                + "/traits {\"resource_provider_generation\":2,"
                + "\"traits\":[\"COMPUTE_STATUS_DISABLED\",\"CUSTOM_THEIRS\"]}");
    }

    @Test
    void firstOutdatesWritesThatMayStillArrive() {
        placement.then(200, "{\"aggregates\":[\"" + AGGREGATE + "\"],\"resource_provider_generation\":1}")
                .then(200, "{}")
                .then(200, traits(2, ""));
        assertThat(update(new ProviderUpdate(NODE, "host", false, Set.of(), Set.of(), null, true)))
                .isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).containsExactly(
                "GET " + PATH + "/aggregates",
                "PUT " + PATH + "/aggregates {\"resource_provider_generation\":1,\"aggregates\":[\"" + AGGREGATE
                        + "\"]}",
                "GET " + PATH + "/traits");
    }

    @Test
    void givesUpAfterRepeatedConflicts() {
        for (int generation = 0; generation < 4; generation++) {
            placement.then(200, traits(generation, "")).then(409, MOVED);
        }
        assertThat(update(true, Set.of()))
                .isEqualTo(new ProviderResult.GenerationConflict(
                        "other clients changed the provider during all 4 attempts"));
        assertThat(placement.seen()).hasSize(8);
    }

    @Test
    void writesNothingThatIsAlreadyCorrect() {
        placement.then(200, traits(1, "\"COMPUTE_STATUS_DISABLED\""))
                .then(200, "{\"aggregates\":[\"" + AGGREGATE + "\"],\"resource_provider_generation\":1}");
        assertThat(update(true, Set.of(AGGREGATE))).isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).containsExactly("GET " + PATH + "/traits", "GET " + PATH + "/aggregates");
    }

    @Test
    void keepsTheSpellingOfAggregatesThatOtherClientsWrote() {
        UUID other = UUID.fromString("cccccccc-cccc-4ccc-8ccc-cccccccccccc");
        String written = "bbbbbbbbbbbb4bbb8bbbbbbbbbbbbbbb";
        String held = "{\"aggregates\":[\"" + written + "\"],\"resource_provider_generation\":1}";
        placement.then(200, traits(1, "")).then(200, held);
        assertThat(update(false, Set.of(AGGREGATE))).isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).last().isEqualTo("GET " + PATH + "/aggregates");

        placement.then(200, held).then(200, "{}");
        assertThat(update(new ProviderUpdate(NODE, "host", null, Set.of(AGGREGATE, other), Set.of(), null, false)))
                .isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).last().isEqualTo("PUT " + PATH
                + "/aggregates {\"resource_provider_generation\":1,\"aggregates\":[\"" + written + "\",\"" + other
                + "\"]}");

        placement.then(200, held).then(200, "{}");
        assertThat(update(new ProviderUpdate(NODE, "host", null, Set.of(), Set.of(AGGREGATE), null, false)))
                .isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).last().isEqualTo("PUT " + PATH
                + "/aggregates {\"resource_provider_generation\":1,\"aggregates\":[]}");
    }

    @Test
    void stopsAtTheFirstPartThatFails() {
        placement.then(200, traits(1, "")).then(400, "{\"errors\":[{\"detail\":\"No such trait(s)\"}]}")
                .then(200, "{\"traits\":[\"COMPUTE_STATUS_DISABLED\"]}");
        assertThat(update(true, Set.of(AGGREGATE))).isEqualTo(new ProviderResult.Refused(400, "No such trait(s)"));
        assertThat(placement.seen()).hasSize(3);
    }

    @Test
    void leavesOutTheTraitsThatAnOlderPlacementDoesNotKnow() {
        placement.then(200, traits(1, "\"CUSTOM_A\""))
                .then(400, "{\"errors\":[{\"detail\":\"No such trait(s): COMPUTE_NEW.\"}]}")
                .then(200, "{\"traits\":[\"COMPUTE_STATUS_DISABLED\",\"COMPUTE_OLD\",\"CUSTOM_A\",\"HW_OTHER\"]}")
                .then(200, "{}")
                .then(200, "{\"aggregates\":[\"" + AGGREGATE + "\"],\"resource_provider_generation\":2}");
        var report = new ProviderReport(null, Set.of("COMPUTE_NEW", "COMPUTE_OLD"), Map.of());
        assertThat(update(new ProviderUpdate(NODE, "host", true, Set.of(AGGREGATE), Set.of(), report, false)))
                .isInstanceOf(ProviderResult.Done.class);
        assertThat(placement.seen()).element(3).isEqualTo("PUT " + PATH
                + "/traits {\"resource_provider_generation\":1,"
                + "\"traits\":[\"COMPUTE_OLD\",\"COMPUTE_STATUS_DISABLED\",\"CUSTOM_A\"]}");
    }

    @Test
    void distinguishesAMissingProviderFromAnUnreachablePlacement() {
        placement.then(404, "{\"errors\":[{\"status\":404}]}");
        assertThat(update(true, Set.of())).isEqualTo(new ProviderResult.Absent());
        for (int status : List.of(301, 404, 408, 429)) {
            placement.then(status, "<html>").then(status, "<html>");
            assertThat(update(true, Set.of())).as("status %s", status).isInstanceOf(ProviderResult.Unreachable.class);
        }
        assertThat(update(true, Set.of())).isInstanceOf(ProviderResult.Unreachable.class);
        placement.then(200, "[not json");
        assertThat(update(true, Set.of())).isInstanceOf(ProviderResult.Unreachable.class);
    }
}
