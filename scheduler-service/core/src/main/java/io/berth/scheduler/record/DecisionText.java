package io.berth.scheduler.record;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Renders a decision record as text for people. The input is the JSON response with the record, in full or in the form
 * for tenants. Pure.
 */
public final class DecisionText {
    /** Maximum instances that are shown. Instances, hosts and claims beyond their limits are only counted. */
    private static final int INSTANCES_MAX = 10;
    /** Maximum rejected hosts per instance. */
    private static final int REJECTED_MAX = 12;
    /** Maximum ranked hosts per instance. */
    private static final int RANKED_MAX = 8;
    /** Maximum claims of the request. */
    private static final int CLAIMS_MAX = 20;
    /** Maximum weighers that have a column. */
    private static final int WEIGHERS_MAX = 5;

    private final JsonNode decision;
    private final PlainText out = new PlainText();

    private DecisionText(JsonNode decision) {
        this.decision = decision;
    }

    /** @param decision the response of {@code GET /v1/decisions/{id}} */
    public static String of(JsonNode decision) {
        var text = new DecisionText(decision);
        text.writeHead();
        text.writePlacement(decision.path("placement"));
        text.writeRounds(decision.path("instances"));
        text.writeNearest(decision.path("nearest_miss"), "host");
        text.writeClaims();
        text.writeTimes();
        return text.out.toString();
    }

    private void writeHead() {
        out.line("decision " + decision.path("decision_id").asText() + ": " + decision.path("result").asText());
        var about = new StringJoiner(", ");
        for (String member : List.of("time", "kind", "flavor", "project_id")) {
            JsonNode name = decision.path(member.replace("_id", "_name"));
            if (decision.path(member).isTextual()) {
                about.add(member.replace("_id", "") + " " + named(name, decision.path(member)));
            }
        }
        JsonNode names = decision.path("instance_names");
        for (int i = 0; i < Math.min(INSTANCES_MAX, names.size()); i++) {
            about.add("instance " + named(names.path(i), decision.path("instance_uuids").path(i)));
        }
        if (names.size() > INSTANCES_MAX) {
            about.add(PlainText.format("… and %,d more", names.size() - INSTANCES_MAX));
        }
        out.indented(about.toString());
        writeSelections();
        if (decision.path("detail").isTextual()) {
            out.indented(decision.path("detail").asText());
        }
        Remarks.writeWarnings(decision, out);
    }

    /** Returns the name followed by the id in parentheses; only the id if there is no name, or it equals the id. */
    private static String named(JsonNode name, JsonNode id) {
        return name.isTextual() && !name.equals(id) ? name.asText() + " (" + id.asText() + ")" : id.asText();
    }

    private void writeSelections() {
        JsonNode selections = decision.path("selections");
        selections.valueStream().limit(INSTANCES_MAX).forEach(places -> {
            var hosts = new StringJoiner(", ");
            places.forEach(place -> hosts.add(place.path("host").asText()));
            out.indented(places.isEmpty() ? "nowhere" : "on " + hosts.toString().replaceFirst(", ", "; alternates: "));
        });
        out.more(selections.size() - INSTANCES_MAX, "");
    }

    private void writePlacement(JsonNode placement) {
        if (!placement.path("roots").isNumber()) {
            return;
        }
        out.gap();
        var funnel = new Funnel(out, placement.path("roots").asLong(), "provider trees there are");
        placement.path("demands").forEach(
                demand -> funnel.step(demand.path("after_all_before").asLong(), demand.path("demand").asText()));
        writeNearest(placement.path("nearest_miss"), "provider_name");
    }

    private void writeNearest(JsonNode nearest, String name) {
        if (nearest.path("reason").isTextual()) {
            out.gap().indented("Nearest: " + nearest.path(name).asText() + ": " + nearest.path("reason").asText());
        }
    }

    private void writeRounds(JsonNode rounds) {
        for (int i = 0; i < Math.min(INSTANCES_MAX, rounds.size()); i++) {
            out.gap();
            if (rounds.size() > 1) {
                out.line("instance " + (rounds.path(i).path("index").asInt() + 1));
            }
            writeRound(rounds.path(i));
        }
        if (rounds.size() > INSTANCES_MAX) {
            out.gap().more(rounds.size() - INSTANCES_MAX, "instances");
        }
    }

    private void writeRound(JsonNode round) {
        // The form for tenants has the numbers of hosts in the round itself.
        JsonNode preselection = round.has("preselection") ? round.path("preselection") : round;
        var funnel = new Funnel(out, preselection.path("hosts_in").asLong(), "hosts that placement offers");
        if (preselection != round) {
            funnel.step(preselection.path("hosts_out").asLong(), "forced, ignored or asked for by name");
        }
        var rejected = new Table(REJECTED_MAX, "host", "removed by", "reason");
        for (JsonNode filter : round.path("filters")) {
            funnel.step(filter.path("hosts_out").asLong(), filter.path("name").asText());
            filter.path("rejected").forEach(each -> rejected.row(
                    each.path("host").asText(), filter.path("name").asText(), each.path("reason").asText()));
            filter.path("more_rejected").forEach(countOfReason -> rejected.addOmitted(countOfReason.asLong()));
        }
        out.table(rejected);
        writeRanked(round);
    }

    /**
     * Writes the best hosts, with the values of the first {@value #WEIGHERS_MAX} weighers that change the weight of at
     * least one of these hosts.
     */
    private void writeRanked(JsonNode round) {
        JsonNode hosts = round.path("ranked");
        Set<String> weighers = new LinkedHashSet<>();
        for (JsonNode host : hosts) {
            for (JsonNode weight : host.path("weights")) {
                if (weight.path("weighted").asDouble() != 0 && weighers.size() < WEIGHERS_MAX) {
                    weighers.add(weight.path("weigher").asText());
                }
            }
        }
        List<String> headings = new ArrayList<>(List.of("host", "weight"));
        weighers.forEach(weigher -> headings.add(weigher.replaceFirst("Weigher$", "")));
        headings.add("");
        var table = new Table(RANKED_MAX, headings.toArray(String[]::new));
        String selected = round.path("selected").path("host").asText();
        hosts.forEach(host -> table.row(row(host, weighers, selected)));
        out.table(table.addOmitted(Math.max(0, round.path("passed").asLong() - hosts.size())));
    }

    private static Object[] row(JsonNode host, Set<String> weighers, String selected) {
        List<Object> row = new ArrayList<>(List.of(host.path("host").asText(), number(host.path("weight"))));
        for (String weigher : weighers) {
            row.add(host.path("weights").valueStream()
                    .filter(weight -> weight.path("weigher").asText().equals(weigher))
                    .map(weight -> number(weight.path("weighted")))
                    .reduce("", (_, last) -> last));
        }
        row.add(host.path("host").asText().equals(selected) ? "chosen" : "");
        return row.toArray();
    }

    private static String number(JsonNode weight) {
        return weight.isNumber() ? PlainText.format("%.3f", weight.asDouble()) : "-";
    }

    private void writeClaims() {
        var table = new Table(CLAIMS_MAX, "claim on", "outcome", "");
        JsonNode claims = decision.path("claims");
        claims.forEach(claim -> table.row(
                claim.path("host").asText(), claim.path("outcome").asText(), claim.path("detail").asText()));
        out.table(table.addOmitted(Math.max(0, decision.path("claim_count").asLong() - claims.size())));
    }

    private void writeTimes() {
        var phases = new StringJoiner(", ");
        decision.path("phases_ms").properties().forEach(
                phase -> phases.add(phase.getKey() + " " + phase.getValue().asText()));
        if (phases.length() > 0) {
            out.gap().indented("Milliseconds: " + phases);
        }
    }
}
