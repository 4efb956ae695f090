package io.berth.placement.candidate.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.deploy.process.Seed;
import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.response.KnownTrees.OfTree;
import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.RandomCloud;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Compares references, expanded with the trees that a client knows, with the plain response. */
class CandidateReferencesTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 300);
    private static final long BYTES_MAX = 10_000_000;
    private static final String VCPU = "resources=VCPU:1";

    /** The bytes of the plain response; {@code null} if it is too large. */
    private static @Nullable byte[] plain(FleetView view, String query, CandidateOptions options, long seed) {
        ResolvedQuery resolved = resolved(view, query);
        return resolved == null
                ? CandidatesResponse.EMPTY
                : found(view, resolved, options, seed,
                        new CandidatesResponse(view, resolved, ResponseForm.of(Microversion.MAX), BYTES_MAX));
    }

    private static @Nullable JsonNode render(
            FleetView view, String query, CandidateOptions options, long seed, String after) {
        var changed = AfterParameter.parse(after).changed(view);
        ResolvedQuery resolved = resolved(view, query);
        byte[] json = resolved == null
                ? CandidateReferences.emptyBody(view, changed).toByteArray()
                : found(view, resolved, options, seed, new CandidateReferences(view, resolved, changed, BYTES_MAX));
        return json == null ? null : Json.parse(json);
    }

    private static JsonNode render(FleetView view, String query) {
        return render(view, query, CandidateOptions.DEFAULT, 1, "");
    }

    private static ResolvedQuery resolved(FleetView view, String query) {
        return ResolvedQuery.of(view, CandidateQueryParser.parse(QueryText.parameters(query), Microversion.MAX));
    }

    private static @Nullable byte[] found(
            FleetView view, ResolvedQuery query, CandidateOptions options, long seed, CandidatesBody body) {
        return switch (new SearchTask(view, query, options, new Random(seed), body).finish()) {
            case Outcome.Rendered rendered -> rendered.bytes().toByteArray();
            case Outcome.TooLarge() -> null;
            case Outcome.TooManyCombinations() -> throw new AssertionError(query);
        };
    }

    private static ArrayNode trees(FleetView view, List<Long> ids) {
        var writer = new TreeWriter(view);
        var all = JsonNodeFactory.instance.arrayNode();
        ids.forEach(id -> all.add(Json.parse(writer.write(view.treeOfRoot(id)))));
        return all;
    }

    private static String after(JsonNode answer) {
        return "after=" + answer.get("replica").textValue() + "." + answer.get("position");
    }

    @Test
    void expandedReferencesEqualThePlainResponse() {
        long seed = Seed.of(CandidateReferencesTest.class);
        long trees = 0;
        long asked = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long roundSeed = seed + round;
            var random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            FleetBuilder fleet = cloud.fleet(random.nextInt(3) > 0, random.nextInt(3) == 0);
            var changing = new ChangingFleet(fleet.view(), random);
            String query = answerableQuery(cloud, fleet, random);
            var options = new CandidateOptions(
                    random.nextInt(4) == 0, -1, random.nextBoolean() ? Strategy.BREADTH_FIRST : Strategy.DEPTH_FIRST);
            var client = new KnownTrees();
            String after = "";
            for (int step = 0; step < 12; step++) {
                FleetView view = changing.view();
                String what = "seed " + roundSeed + " step " + step + " " + query + " " + options;
                long searchSeed = random.nextLong();
                byte[] whole = plain(view, query, options, searchSeed);
                JsonNode references = render(view, query, options, searchSeed, after);
                if (whole == null || references == null) {
                    // The changes freed so much capacity that the response would be too large.
                    break;
                }
                List<OfTree> expanded = client.expand(references, ids -> trees(view, ids));
                List<OfTree> expected = KnownTrees.grouped(Json.parse(whole));
                assertThat(expanded).as(what).isEqualTo(expected);
                // Compares the text as well, because the order of classes and mappings matters.
                assertThat(expanded.stream().map(tree -> tree.requests().toString())).as(what)
                        .isEqualTo(expected.stream().map(tree -> tree.requests().toString()).toList());
                trees += expanded.size();
                after = random.nextInt(4) == 0 ? after : after(references);
                for (int changes = random.nextInt(3); changes > 0; changes--) {
                    changing.change();
                }
            }
            asked += client.asked();
        }
        // Guards against comparing nothing and against fetching every tree again. The margin is about a factor of two.
        assertThat(trees).as("trees in all responses").isGreaterThan(ROUNDS * 4L);
        assertThat(asked).as("fetched trees").isLessThan(trees / 2);
    }

    private static String answerableQuery(RandomCloud cloud, FleetBuilder fleet, Random random) {
        while (true) {
            String query = cloud.query(39, fleet).replace("CUSTOM_FPGA", "VCPU");
            if (random.nextBoolean()) {
                query += "&limit=" + (1 + random.nextInt(6));
            }
            try {
                // Most queries should have candidates at first.
                byte[] first = plain(fleet.view(), query, CandidateOptions.DEFAULT, 1);
                if (first != null && (random.nextInt(30) == 0 || KnownTrees.grouped(Json.parse(first)).size() > 1)) {
                    return query;
                }
            } catch (ApiException refused) {
                // The query requires and forbids the same trait, or names a class twice.
            }
        }
    }

    /**
     * Compares a view that grew by changes with one that was loaded at once, as on another replica or after a restart.
     */
    @Test
    void treeVersionChangesExactlyWhenItsContentChanges() {
        long seed = Seed.of(CandidateReferencesTest.class);
        var random = new Random(seed);
        var changing = new ChangingFleet(new RandomCloud(seed).fleet(true, true).view(), random);
        Map<String, Long> versions = new HashMap<>();
        int repeated = 0;
        for (int step = 0; step < ROUNDS; step++) {
            FleetView view = changing.view();
            FleetView readAtOnce = FleetView.empty().with(
                    view.listProviders(), List.of(), view.resourceClasses().list(), view.traits().list());
            for (int slot = 0; slot < view.slotCount(); slot++) {
                ProviderTree tree = view.tree(slot);
                if (tree != null) {
                    JsonNode written = Json.parse(new TreeWriter(view).write(tree));
                    long version = written.get("version").longValue();
                    assertThat(new TreeWriter(view).version(tree)).isEqualTo(version);
                    assertThat(new TreeWriter(readAtOnce).version(readAtOnce.treeOfRoot(tree.root().id())))
                            .isEqualTo(version);
                    Long before = versions.put(written.get("providers").toString(), version);
                    assertThat(before == null || before == version).isTrue();
                    repeated += before == null ? 0 : 1;
                }
            }
            changing.change();
        }
        assertThat(versions.values().stream().distinct().count()).isEqualTo(versions.size());
        assertThat(versions).hasSizeGreaterThan(ROUNDS / 3);
        assertThat(repeated).isGreaterThan(ROUNDS);
    }

    private static FleetBuilder threeHosts() {
        return FleetBuilder.aFleet()
                .root("a").inventory("VCPU", 4).root("b").inventory("VCPU", 4).root("c").inventory("VCPU", 4);
    }

    @Test
    void encodesAHostThatProvidesAllAmountsIn16Bytes() {
        FleetView view = threeHosts().view();
        JsonNode references = render(view, "resources=VCPU:1&resources1=VCPU:2&group_policy=none");
        assertThat(references.get("parts").toString())
                .isEqualTo("[{\"group\":\"\",\"resources\":{\"VCPU\":1}},{\"group\":\"1\",\"resources\":{\"VCPU\":2}}]");
        assertThat(references.get("classes").toString()).isEqualTo("[\"VCPU\"]");
        assertThat(references.get("trees").textValue()).hasSize(3 * 16 * 4 / 3);
        assertThat(references.get("requests")).isEmpty();
        assertThat(references.get("changed")).isEmpty();
    }

    @Test
    void listsProvidersIfTheRootDoesNotProvideAllAmounts() {
        FleetView view = FleetBuilder.aFleet()
                .root("a").inventory("VCPU", 4).in("pool").child("gpus").inventory("CUSTOM_GPU", 1)
                .root("b").inventory("VCPU", 4).inventory("CUSTOM_GPU", 1)
                .root("s").inventory("DISK_GB", 100).sharing("pool").view();
        // The ids of the providers are 1, 2, 3, 4 in the order above.
        assertThat(render(view, "resources=VCPU:1,CUSTOM_GPU:1").get("requests").toString())
                .isEqualTo("[[0,[[1,2]]]]");
        assertThat(render(view, "resources=VCPU:1,DISK_GB:1").get("requests").toString())
                .isEqualTo("[[0,[[1,4]]],[1,[[1,4]]]]");
    }

    @Test
    void namesTheTreeOfAProviderWithoutAmounts() {
        FleetView view = FleetBuilder.aFleet()
                .root("a").inventory("VCPU", 4).in("pool")
                .root("s").traits("CUSTOM_POOL").sharing("pool").view();
        String query = "resources1=VCPU:1&required_S=CUSTOM_POOL&group_policy=none&same_subtree=_S";
        JsonNode references = render(view, query);
        assertThat(references.get("requests").toString()).isEqualTo("[[0,[[1,2]]],[1,[]]]");
        assertThat(new String(plain(view, query, CandidateOptions.DEFAULT, 1), StandardCharsets.UTF_8))
                .contains("\"_S\":[\"" + FleetBuilder.uuidOf("s") + "\"]");
    }

    @Test
    void returnsTreesThatChangedSinceThePositionOfThisReplica() {
        FleetView view = threeHosts().view();
        JsonNode first = render(view, VCPU);
        var claimed = FleetBuilder.aFleet().root("a").root("b").used("VCPU", 4, 3).view().find("b");
        FleetView after = view.with(List.of(claimed), List.of(), List.of(), List.of());
        JsonNode second = render(after, VCPU, CandidateOptions.DEFAULT, 1, "after=other.99&" + after(first));
        assertThat(second.get("replica")).isEqualTo(first.get("replica"));
        assertThat(second.get("position").longValue()).isGreaterThan(first.get("position").longValue());
        assertThat(second.get("changed")).hasSize(1);
        assertThat(second.get("changed").get(0).at("/providers/0").toString()).isEqualTo(
                "{\"id\":2,\"uuid\":\"" + claimed.uuid() + "\",\"parent\":null,"
                        + "\"resources\":{\"VCPU\":{\"capacity\":4,\"used\":3}},\"traits\":[]}");
        assertThat(render(after, VCPU, CandidateOptions.DEFAULT, 1, after(second)).get("changed")).isEmpty();
        assertThat(render(after, VCPU, CandidateOptions.DEFAULT, 1, "after=other.0").get("changed")).isEmpty();
        FleetView gone = after.with(List.of(), List.of(claimed.id()), List.of(), List.of());
        assertThat(render(gone, VCPU, CandidateOptions.DEFAULT, 1, after(first)).get("changed")).isEmpty();
        assertThat(render(gone, VCPU).get("trees").textValue())
                .hasSizeLessThan(first.get("trees").textValue().length());
        assertThat(Json.parse(CandidateReferences.emptyBody(after, AfterParameter.parse(after(first)).changed(after))
                .toByteArray())
                .get("changed")).isEqualTo(second.get("changed"));
    }

    @Test
    void givesUpOnAResponseThatIsTooLarge() {
        FleetView view = threeHosts().view();
        ResolvedQuery query = resolved(view, VCPU);
        assertThat(found(view, query, CandidateOptions.DEFAULT, 1,
                new CandidateReferences(view, query, List.of(), 100))).isNull();
    }

    @Test
    void refusesAScenarioWhoseChangedTreesAreMoreThanMayBeHeld() {
        FleetView view = threeHosts().view();
        assertThat(scenario(view, view)).isNotEmpty();
        assertThatThrownBy(() -> scenario(view, FleetView.empty()))
                .isInstanceOf(ApiException.class).hasMessageContaining("exceeds 700 bytes");
    }

    private static @Nullable byte[] scenario(FleetView view, FleetView present) {
        return CandidateReferences.search(
                view, present, CandidateQueryParser.parse(QueryText.parameters(VCPU), Microversion.MAX),
                CandidateOptions.DEFAULT, null, 700, () -> false);
    }

    @Test
    void removesOnlyTheAfterParameterFromTheQuery() {
        assertThat(AfterParameter.parse("after=a.1&resources=VCPU:1&limit=2").otherParameters())
                .isEqualTo("resources=VCPU:1&limit=2")
                .isEqualTo(AfterParameter.parse("resources=VCPU:1&after=b.2&limit=2&after=c.3").otherParameters());
        assertThat(AfterParameter.parse("required=CUSTOM_after").otherParameters()).isEqualTo("required=CUSTOM_after");
        assertThat(AfterParameter.parse(null).otherParameters()).isEmpty();
        for (String malformed : List.of("", "a", "a.", ".1", "a.b", "a.-1", "a.1.2", "a%2E1", "a.1234567890123456789")) {
            assertThatThrownBy(() -> AfterParameter.parse("after=" + malformed))
                    .as(malformed).isInstanceOf(ApiException.class).hasMessageContaining("after must be");
        }
        var many = new StringJoiner("&");
        for (int i = 0; i < 9; i++) {
            many.add("after=a." + i);
        }
        assertThatThrownBy(() -> AfterParameter.parse(many.toString()))
                .isInstanceOf(ApiException.class).hasMessageContaining("at most 8");
    }
}
