package io.berth.placement.candidate.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Seed;
import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.response.Found;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the candidates of random fleets and queries of all microversions with those of a running OpenStack
 * Placement. Needs {@code -Dberth.reference.url=http://127.0.0.1:PORT} and {@code -Dberth.reference.reset=COMMAND}, a
 * command that empties the reference: everything in it is deleted. {@code -Dberth.reference.seconds} sets the duration,
 * 30 by default.
 */
@Tag("process")
class CandidatesEqualReferenceIT {
    private static final int QUERIES_PER_FLEET = 40;

    private Reference reference;

    @BeforeEach
    void connect() {
        String url = System.getProperty("berth.reference.url");
        assumeTrue(url != null, "skipped: no reference Placement to compare with, set -Dberth.reference.url");
        reference = new Reference(url, System.getProperty("berth.reference.reset", "true"));
    }

    @Test
    void returnsTheSameCandidatesAsTheReference() throws Exception {
        long seed = Seed.of(CandidatesEqualReferenceIT.class);
        Instant end = Instant.now().plus(Duration.ofSeconds(Long.getLong("berth.reference.seconds", 30)));
        Map<String, Integer> counts = new TreeMap<>();
        List<String> differences = new ArrayList<>();
        for (long fleetSeed = seed; Instant.now().isBefore(end); fleetSeed++) {
            var random = new Random(fleetSeed);
            var cloud = new RandomCloud(fleetSeed);
            FleetBuilder fleet = cloud.fleet(random.nextInt(4) > 0, random.nextBoolean());
            reference.load(fleet);
            FleetView view = fleet.view();
            counts.merge("fleets", 1, Integer::sum);
            for (int i = 0; i < QUERIES_PER_FLEET; i++) {
                int minor = random.nextBoolean() ? 36 + random.nextInt(4) : 10 + random.nextInt(26);
                String query = cloud.query(minor, fleet);
                String verdict = compare(fleet, view, query, minor);
                if (verdict.startsWith("DIFFERENT")) {
                    differences.add("seed " + fleetSeed + " 1." + minor + " " + query + "\n" + verdict);
                    verdict = "different";
                }
                counts.merge(verdict, 1, Integer::sum);
            }
        }
        System.out.println("CandidatesEqualReferenceIT " + counts);
        assertThat(differences).isEmpty();
        assertThat(counts).containsKey("equal");
    }

    private String compare(FleetBuilder fleet, FleetView view, String queryString, int minor) throws Exception {
        Reference.Answer theirs =
                reference.get("/allocation_candidates?" + queryString.replace("!", "%21"), "1." + minor);
        CandidateQuery query;
        try {
            query = CandidateQueryParser.parse(QueryText.parameters(queryString), new Microversion(1, minor));
        } catch (ApiException refused) {
            return theirs.status() == 400
                    ? "equal: both refuse"
                    : "DIFFERENT: only Berth refuses: " + refused.getMessage();
        }
        if (theirs.status() >= 500) {
            return "the reference fails (" + theirs.status() + ")";
        }
        Found ours = Found.ask(view, queryString, "1." + minor);
        Found expected = Found.of(theirs.json(), uuid -> view.find(uuid).name());
        if (ours.candidates().equals(expected.candidates())) {
            String mine = sorted(ours.json().get("provider_summaries"));
            String other = sorted(expected.json().get("provider_summaries"));
            return mine.equals(other)
                    ? ours.candidates().isEmpty() ? "equal: none" : "equal"
                    : "DIFFERENT summaries\nours   " + mine + "\ntheirs " + other;
        }
        if (addsUpInPlace(query)) {
            return "excused: the reference adds up amounts in place";
        }
        List<String> missing = new ArrayList<>(ours.candidates());
        expected.candidates().forEach(missing::remove);
        if (ours.candidates().containsAll(expected.candidates())
                && missing.size() == ours.candidates().size() - expected.candidates().size()
                && missing.stream().allMatch(line -> isUnsuffixedShared(fleet, line, minor))) {
            return "excused: the reference keeps one anchor of a group that is only shared";
        }
        return "DIFFERENT candidates\nours   " + ours.candidates() + "\ntheirs " + expected.candidates();
    }

    /**
     * A defect of the reference: unless group_policy is none, the amounts of a class that several groups take from one
     * provider are added into an object that other candidates use, too.
     */
    private static boolean addsUpInPlace(CandidateQuery query) {
        long distinct = query.groups().stream().flatMap(g -> g.resources().keySet().stream()).distinct().count();
        long all = query.groups().stream().mapToLong(g -> g.resources().size()).sum();
        boolean mayMeet = query.groupPolicy() == CandidateQuery.GroupPolicy.ISOLATE
                || query.groups().stream().filter(RequestGroup::isSuffixed).count() < 2;
        return mayMeet && all > distinct && query.groups().stream().anyMatch(g -> !g.isSuffixed());
    }

    /**
     * A defect of the reference: if sharing providers alone serve the unsuffixed group, the candidate is kept for only
     * one of the trees, by chance.
     */
    private static boolean isUnsuffixedShared(FleetBuilder fleet, String line, int minor) {
        if (minor < 34) {
            return fleet.providers().stream().anyMatch(p -> p.traits.contains(SharingProviders.TRAIT));
        }
        for (String mapping : line.substring(line.indexOf('|') + 1).strip().split(" ")) {
            if (mapping.startsWith("=")) {
                return List.of(mapping.substring(1).split("\\+")).stream()
                        .allMatch(name -> fleet.find(name).traits.contains(SharingProviders.TRAIT));
            }
        }
        return false;
    }

    private static String sorted(JsonNode summaries) {
        var byProvider = new TreeMap<String, String>();
        summaries.properties().forEach(entry -> {
            var members = new TreeMap<String, String>();
            ((ObjectNode) entry.getValue()).properties().forEach(member -> {
                JsonNode value = member.getValue();
                if (value instanceof ArrayNode traits) {
                    var names = new ArrayList<String>();
                    traits.forEach(trait -> names.add(trait.asText()));
                    names.sort(null);
                    members.put(member.getKey(), names.toString());
                } else if (value instanceof ObjectNode resources) {
                    var classes = new TreeMap<String, String>();
                    resources.properties().forEach(e -> classes.put(
                            e.getKey(),
                            e.getValue().get("capacity") + "/" + e.getValue().get("used") + "/" + e.getValue().size()));
                    members.put(member.getKey(), classes.toString());
                } else {
                    members.put(member.getKey(), value.toString());
                }
            });
            byProvider.put(entry.getKey(), members.toString());
        });
        return byProvider.toString();
    }

    /** Sends every bad query at every microversion; status, code and message must be the same. */
    @Test
    void refusesBadQueriesLikeTheReference() throws Exception {
        FleetBuilder fleet = FleetBuilder.aFleet().knowingClasses(RandomCloud.CLASSES).knowingTraits(RandomCloud.TRAITS)
                .root("cn").inventory("VCPU", 8).inventory("MEMORY_MB", 100);
        reference.load(fleet);
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (int minor = 10; minor <= 39; minor++) {
            for (String query : BadQueries.ALL) {
                String encoded = BadQueries.encoded(query);
                Reference.Answer theirs = reference.get("/allocation_candidates?" + encoded, "1." + minor);
                String ours = verdict(fleet.view(), query, minor);
                String expected = theirs.status() == 200
                        ? "200"
                        : theirs.status() + " " + theirs.json().at("/errors/0/code").asText("placement.undefined_code")
                                + " "
                                + firstLine(theirs.json().at("/errors/0/detail").asText());
                compared++;
                if (!ours.equals(expected)) {
                    differences.add("1." + minor + " " + query + "\n   ours   " + ours + "\n   theirs " + expected);
                }
            }
        }
        System.out.println("CandidatesEqualReferenceIT compared " + compared + " refusals");
        assertThat(differences).isEmpty();
    }

    private static String verdict(FleetView view, String query, int minor) {
        try {
            CandidateQuery parsed =
                    CandidateQueryParser.parse(QueryText.parameters(BadQueries.encoded(query)),
                            new Microversion(1, minor));
            ResolvedQuery.of(view, parsed);
            return "200";
        } catch (ApiException refused) {
            String code = minor < 23 ? "placement.undefined_code" : refused.code().wire();
            return refused.status() + " " + code + " " + firstLine("\n\n " + refused.getMessage());
        }
    }

    /** Returns the message without the text that the schema validator adds. */
    private static String firstLine(String detail) {
        String message = detail.substring(detail.indexOf("\n\n") + 2).strip();
        int schema = message.indexOf("Failed validating");
        return (schema < 0 ? message : message.substring(0, schema)).strip();
    }
}
