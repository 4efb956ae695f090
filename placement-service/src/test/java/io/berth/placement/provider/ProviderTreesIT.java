package io.berth.placement.provider;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.create;
import static io.berth.placement.CatalogueApi.move;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares trees under random changes with a map from child to parent, and changes trees concurrently. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ProviderTreesIT {
    private static final int STEPS = 40;

    @Inject
    FleetFeed feed;

    /** Parent of each provider; null for a root. */
    private final Map<UUID, UUID> model = new HashMap<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void treesEqualASimpleModelAfterEveryStep(long seed) {
        var random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + ", step " + step;
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    UUID uuid = UUID.randomUUID();
                    UUID parent = any(random, true);
                    assertThat(create(uuid, "host-" + uuid, parent).statusCode()).as(where).isEqualTo(200);
                    model.put(uuid, parent);
                }
                case 2, 3 -> {
                    UUID uuid = any(random, false);
                    if (uuid != null) {
                        UUID parent = any(random, true);
                        boolean makesLoop = parent != null && isWithin(parent, uuid);
                        assertThat(move(uuid, parent).statusCode()).as(where).isEqualTo(makesLoop ? 400 : 200);
                        if (!makesLoop) {
                            model.put(uuid, parent);
                        }
                    }
                }
                default -> {
                    UUID uuid = any(random, false);
                    if (uuid != null) {
                        boolean hasChildren = model.containsValue(uuid);
                        int status = at("1.39").delete("/resource_providers/" + uuid).statusCode();
                        assertThat(status).as(where).isEqualTo(hasChildren ? 409 : 204);
                        if (!hasChildren) {
                            model.remove(uuid);
                        }
                    }
                }
            }
            assertViewEqualsModel(where);
        }
        assertThat(model).isNotEmpty();
    }

    @Test
    void treesNeverLoopWhenTwoMovesRace() throws Exception {
        for (int round = 0; round < 10; round++) {
            UUID a = newProvider();
            UUID belowA = newProvider(a);
            UUID b = newProvider();
            UUID belowB = newProvider(b);
            // Each move alone is valid, both together form a loop, and they share no row except through the trees.
            List<Integer> statuses = together(() -> move(a, belowB).statusCode(), () -> move(b, belowA).statusCode());
            assertThat(statuses).containsExactlyInAnyOrder(200, 400);
            FleetView view = fresh();
            UUID root = statuses.get(0) == 200 ? b : a;
            for (UUID member : List.of(a, belowA, b, belowB)) {
                assertThat(ResourceProvider.of(view, view.find(member)).rootUuid()).isEqualTo(root);
            }
        }
    }

    @Test
    void keepsAChildCreatedWhileItsTreeMoves() throws Exception {
        for (int round = 0; round < 10; round++) {
            UUID root = newProvider();
            UUID middle = newProvider(root);
            UUID other = newProvider();
            UUID child = UUID.randomUUID();
            assertThat(
                    together(
                            () -> move(middle, other).statusCode(),
                            () -> create(child, "host-" + child, middle).statusCode()))
                    .containsExactly(200, 200);
            FleetView view = fresh();
            assertThat(ResourceProvider.of(view, view.find(child)).rootUuid()).isEqualTo(other);
        }
    }

    @Test
    void acceptsOneOfManyConcurrentCreationsOfAName() throws Exception {
        String name = "wanted-" + UUID.randomUUID();
        List<Callable<Integer>> creations = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            creations.add(() -> create(UUID.randomUUID(), name, null).statusCode());
        }
        List<Integer> statuses = together(creations);
        assertThat(statuses).containsOnlyOnce(200).contains(409).hasSize(8);
        assertThat(statuses.stream().filter(status -> status == 409)).hasSize(7);
    }

    private UUID any(Random random, boolean orNone) {
        List<UUID> all = new ArrayList<>(model.keySet());
        all.sort(UUID::compareTo);
        int choice = random.nextInt(all.size() + (orNone ? 1 : 0) + (all.isEmpty() ? 1 : 0));
        return choice < all.size() ? all.get(choice) : null;
    }

    private boolean isWithin(UUID uuid, UUID ancestor) {
        for (UUID at = uuid; at != null; at = model.get(at)) {
            if (at.equals(ancestor)) {
                return true;
            }
        }
        return false;
    }

    private UUID rootOf(UUID uuid) {
        UUID at = uuid;
        while (model.get(at) != null) {
            at = model.get(at);
        }
        return at;
    }

    private void assertViewEqualsModel(String where) {
        FleetView view = fresh();
        model.forEach((uuid, parent) -> {
            var provider = view.find(uuid);
            assertThat(provider).as("%s: %s", where, uuid).isNotNull();
            var shown = ResourceProvider.of(view, provider);
            assertThat(shown.parentUuid()).as(where).isEqualTo(parent);
            assertThat(shown.rootUuid()).as(where).isEqualTo(rootOf(uuid));
            var tree = view.treeOf(provider);
            long members = model.keySet().stream().filter(other -> rootOf(other).equals(rootOf(uuid))).count();
            assertThat(tree.size()).as(where).isEqualTo((int) members);
        });
    }

    private FleetView fresh() {
        return feed.fresh().await().atMost(Duration.ofMinutes(5));
    }

    @SafeVarargs
    private static List<Integer> together(Callable<Integer>... calls) throws Exception {
        return together(List.of(calls));
    }

    private static List<Integer> together(List<Callable<Integer>> calls) throws Exception {
        try (var threads = Executors.newFixedThreadPool(calls.size())) {
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : threads.invokeAll(calls)) {
                statuses.add(answer.get());
            }
            return statuses;
        }
    }
}
