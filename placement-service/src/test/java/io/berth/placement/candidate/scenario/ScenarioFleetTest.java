package io.berth.placement.candidate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.process.Seed;
import io.berth.placement.candidate.response.Found;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.RandomCloud;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import io.berth.placement.query.JsonAt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Applies random changes to random fleets. Each provider must match a model, and the view must return the same
 * candidates as one that is built from scratch. {@code -Dberth.test.rounds} sets the number of rounds.
 */
class ScenarioFleetTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 100);
    private static final String[] CLASSES = {"VCPU", "MEMORY_MB", "DISK_GB", "CUSTOM_FPGA"};
    private static final String[] TRAITS = {"CUSTOM_A", "CUSTOM_B", "MISC_SHARES_VIA_AGGREGATE"};

    /** The expected state of a provider: lines about inventories, traits and aggregates. */
    private record Expected(UUID root, Map<String, String> stocks, TreeSet<String> traits, TreeSet<UUID> aggregates) {
        static Expected of(FleetView view, Provider provider) {
            Map<String, String> stocks = new TreeMap<>();
            Inventories inventories = provider.inventories();
            for (int i = 0; i < inventories.size(); i++) {
                stocks.put(
                        view.resourceClasses().name(inventories.classIds()[i]),
                        inventories.get(i) + " used " + inventories.used()[i]);
            }
            var traits = new TreeSet<String>();
            Arrays.stream(provider.traitIds()).forEach(id -> traits.add(view.traits().name(id)));
            return new Expected(
                    view.treeOf(provider).root().uuid(), stocks, traits,
                    new TreeSet<>(Arrays.asList(provider.aggregates())));
        }

        Expected unused(UUID root) {
            Map<String, String> copies = new TreeMap<>(stocks);
            copies.replaceAll((_, text) -> text.replaceAll("used \\d+", "used 0"));
            return new Expected(root, copies, new TreeSet<>(traits), new TreeSet<>(aggregates));
        }
    }

    private final Map<UUID, Expected> expected = new HashMap<>();
    private final Map<String, Integer> applied = new TreeMap<>();
    private int queriesWithCandidates;
    private Random random;
    private int added;

    @Test
    void matchesTheModelAfterRandomChanges() {
        long seed = Seed.of(ScenarioFleetTest.class);
        for (int round = 0; round < ROUNDS; round++) {
            // Consecutive seeds give similar fleets.
            long roundSeed = new SplittableRandom(seed + round).nextLong();
            random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            FleetBuilder fleet = cloud.fleet(random.nextBoolean(), random.nextBoolean());
            check(fleet.view(), cloud, fleet, "seed " + (seed + round));
        }
        assertThat(applied.keySet()).containsExactlyInAnyOrder(
                "inventory", "remove_inventory", "traits", "aggregates", "use", "remove", "add");
        assertThat(queriesWithCandidates).isGreaterThan(ROUNDS / 10);
    }

    private void check(FleetView view, RandomCloud cloud, FleetBuilder fleet, String what) {
        expected.clear();
        expected.putAll(described(view));
        Map<UUID, Expected> untouched = described(view);
        List<JsonAt> changes = new ArrayList<>();
        FleetView scenario = view;
        for (int i = 0; i < 8 && !expected.isEmpty(); i++) {
            String text = change();
            changes.add(new JsonAt(json(text), "changes[" + i + "]", ""));
            try {
                scenario = ScenarioFleet.of(view, changes, 100, 10_000);
                apply(scenario, text);
            } catch (ApiException refused) {
                assertThat(refused.status()).as(what + text).isEqualTo(400);
                changes.removeLast();
            }
        }
        FleetView now = scenario;
        assertThat(described(now)).as(what + changes).isEqualTo(expected);
        assertThat(now.version()).isEqualTo(view.version());
        assertThat(now.lineage()).isEqualTo(view.lineage());
        assertThat(described(view)).as("original view").isEqualTo(untouched);
        FleetView made = FleetView.empty().with(
                now.listProviders(), List.of(), now.resourceClasses().list(), now.traits().list());
        for (int q = 0; q < 6; q++) {
            String query = cloud.query(39, fleet);
            try {
                Found fresh = Found.ask(made, query, "1.39");
                queriesWithCandidates += fresh.candidates().isEmpty() ? 0 : 1;
                assertThat(Found.ask(now, query, "1.39").candidates()).as(what + changes + query)
                        .isEqualTo(fresh.candidates());
            } catch (ApiException refused) {
                assertThat(refused.status()).isEqualTo(400);
            }
        }
    }

    private static Map<UUID, Expected> described(FleetView view) {
        Map<UUID, Expected> all = new HashMap<>();
        view.forEachProvider(provider -> all.put(provider.uuid(), Expected.of(view, provider)));
        return all;
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private UUID randomProvider() {
        List<UUID> all = new ArrayList<>(new TreeSet<>(expected.keySet()));
        return all.get(random.nextInt(all.size()));
    }

    private static String pick(Random random, String... names) {
        return names[random.nextInt(names.length)];
    }

    @Test
    void changeOfSeveralTreesEqualsSeparateChanges() {
        long seed = Seed.of(ScenarioFleetTest.class);
        int made = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long roundSeed = new SplittableRandom(seed + round).nextLong();
            random = new Random(roundSeed);
            FleetView view = new RandomCloud(roundSeed).fleet(true, random.nextBoolean()).view();
            expected.clear();
            expected.putAll(described(view));
            if (expected.isEmpty()) {
                continue;
            }
            List<UUID> some = Stream.of(randomProvider(), randomProvider()).distinct().toList();
            String trees = some.stream().map(uuid -> "'" + uuid + "'").collect(Collectors.joining(",", "[", "]"));
            List<Provider> all = some.stream()
                    .flatMap(uuid -> view.treeOf(view.find(uuid)).nodes().stream()).distinct().toList();
            String name = pick(random, CLASSES);
            String inventory = "'resource_class': '" + name + "', 'allocation_ratio': 9.5";
            String trait = pick(random, TRAITS);
            List<String> together = new ArrayList<>(List.of(
                    "{'traits': {'trees': " + trees + ", 'add': ['CUSTOM_B'], 'remove': ['" + trait + "']}}",
                    "{'aggregates': {'trees': " + trees + ", 'add': ['" + FleetBuilder.uuidOf("agg3") + "']}}"));
            List<String> apart = new ArrayList<>();
            for (UUID each : some) {
                apart.add("{'traits': {'provider': '" + each + "', 'add': ['CUSTOM_B']}}");
                apart.add("{'aggregates': {'provider': '" + each + "', 'add': ['" + FleetBuilder.uuidOf("agg3")
                        + "']}}");
            }
            for (Provider each : all) {
                Map<String, String> stocks = expected.get(each.uuid()).stocks();
                if (stocks.containsKey(name)) {
                    apart.add("{'inventory': {'provider': '" + each.uuid() + "', " + inventory + "}}");
                }
                apart.add("{'traits': {'provider': '" + each.uuid() + "', 'remove': ['" + trait + "']}}");
            }
            if (apart.stream().anyMatch(change -> change.contains("'inventory'"))) {
                together.add("{'inventory': {'trees': " + trees + ", " + inventory + "}}");
            }
            assertThat(outcome(view, together)).as("seed " + (seed + round) + together).isEqualTo(outcome(view, apart));
            List<UUID> roots = all.stream().filter(Provider::isRoot).map(Provider::uuid).toList();
            String rootTexts = roots.stream().map(uuid -> "'" + uuid + "'").collect(Collectors.joining(",", "[", "]"));
            assertThat(
                    outcome(view, List.of(
                            "{'add': {'like': '" + roots.getFirst() + "', 'roots': ['" + FleetBuilder.uuidOf("x")
                                    + "', '"
                                    + FleetBuilder.uuidOf("y") + "'], 'names': ['x', 'y']}}",
                            "{'remove': {'roots': " + rootTexts + "}}")))
                    .isEqualTo(outcome(view, Stream.concat(
                            Stream.of("x", "y").map(each -> "{'add': {'like': '" + roots.getFirst() + "', 'root': '"
                                    + FleetBuilder.uuidOf(each) + "', 'name': '" + each + "'}}"),
                            roots.stream().map(uuid -> "{'remove': {'root': '" + uuid + "'}}")).toList()));
            made++;
        }
        assertThat(made).isPositive();
    }

    /** Returns the changed fleet, or the status of a refusal. */
    private static Object outcome(FleetView view, List<String> texts) {
        List<JsonAt> changes = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            changes.add(new JsonAt(json(texts.get(i)), "changes[" + i + "]", ""));
        }
        try {
            return described(ScenarioFleet.of(view, changes, 100, 10_000));
        } catch (ApiException refused) {
            return refused.status();
        }
    }

    /** Returns a random change, with apostrophes for quotes. */
    private String change() {
        String resourceClass = pick(random, CLASSES);
        UUID randomProvider = randomProvider();
        return switch (random.nextInt(7)) {
            case 0 -> "{'inventory': {'provider': '%s', 'resource_class': '%s', 'total': %d, 'allocation_ratio': %s}}"
                    .formatted(randomProvider, resourceClass, 1 + random.nextInt(9), pick(random, "1.0", "2.5"));
            case 1 -> "{'remove_inventory': {'provider': '%s', 'resource_class': '%s'}}"
                    .formatted(randomProvider, resourceClass);
            case 2 -> "{'traits': {'provider': '%s', 'add': ['%s'], 'remove': ['%s']}}"
                    .formatted(randomProvider, pick(random, TRAITS), pick(random, TRAITS));
            case 3 -> "{'aggregates': {'provider': '%s', 'add': ['%s']}}"
                    .formatted(randomProvider, FleetBuilder.uuidOf(pick(random, "agg1", "agg2", "agg3")));
            case 4 -> "{'use': {'provider': '%s', 'resources': {'%s': %d}}}"
                    .formatted(randomProvider, resourceClass, random.nextInt(7) - 3);
            case 5 -> "{'remove': {'root': '%s'}}".formatted(randomProvider);
            default -> "{'add': {'like': '%s', 'root': '%s', 'name': 'new%d'}}"
                    .formatted(expected.get(randomProvider).root(), FleetBuilder.uuidOf("new" + added), added++);
        };
    }

    /** Applies the change to the model, independently of the code under test. */
    private void apply(FleetView now, String text) {
        var change = json(text).properties().iterator().next();
        applied.merge(change.getKey(), 1, Integer::sum);
        var what = change.getValue();
        Expected one =
                expected.get(UUID.fromString(what.path("provider").asText("00000000-0000-0000-0000-000000000000")));
        String resourceClass = what.path("resource_class").asText();
        switch (change.getKey()) {
            case "inventory" -> one.stocks().compute(resourceClass, (_, before) -> {
                String was =
                        before == null ? "Inventory[total=0, reserved=0, minUnit=1, maxUnit=2147483647, stepSize=1, "
                                + "allocationRatio=1.0] used 0" : before;
                return was.replaceAll("total=\\d+", "total=" + what.path("total"))
                        .replaceAll("allocationRatio=[\\d.]+", "allocationRatio=" + what.path("allocation_ratio"));
            });
            case "remove_inventory" -> one.stocks().remove(resourceClass);
            case "traits" -> {
                one.traits().add(what.path("add").get(0).asText());
                one.traits().remove(what.path("remove").get(0).asText());
            }
            case "aggregates" -> one.aggregates().add(UUID.fromString(what.path("add").get(0).asText()));
            case "use" -> {
                var amount = what.path("resources").properties().iterator().next();
                one.stocks().computeIfPresent(amount.getKey(), (_, before) -> {
                    int used = Integer.parseInt(before.substring(before.lastIndexOf(' ') + 1))
                            + amount.getValue().asInt();
                    return before.substring(0, before.lastIndexOf(' ') + 1) + used;
                });
            }
            case "remove" ->
                expected.values().removeIf(each -> each.root().toString().equals(what.path("root").asText()));
            default -> {
                UUID root = UUID.fromString(what.path("root").asText());
                UUID like = UUID.fromString(what.path("like").asText());
                List<Provider> copies = now.treeOf(now.find(root)).nodes();
                List<Provider> originals = now.treeOf(now.find(like)).nodes();
                assertThat(copies).hasSameSizeAs(originals);
                for (int i = 0; i < copies.size(); i++) {
                    String name = i == 0
                            ? what.path("name").asText()
                            : what.path("name").asText() + "/" + originals.get(i).name();
                    assertThat(copies.get(i).name()).isEqualTo(name);
                    expected.put(copies.get(i).uuid(), expected.get(originals.get(i).uuid()).unused(root));
                }
            }
        }
    }
}
