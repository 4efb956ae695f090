package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Calls {@code GET /v1/decisions/{id}}; for an instance, with its newest decision. */
@Command(
        name = "why",
        header = "why an instance is where it is, or nowhere",
        description = {"", "Why an instance is where it is, or nowhere: the decision as it was made.", ""})
public final class WhyCommand extends Question {
    private static final int REJECTED_MAX = 12;
    private static final int RANKED_MAX = 8;
    private static final int WEIGHERS_MAX = 5;

    @Parameters(paramLabel = "INSTANCE|DECISION", description = "name or uuid; an instance stands for its newest decision")
    private String meant;

    @Override
    JsonNode ask(RestClient scheduler) throws ApiFailure, InterruptedException {
        return Decisions.find(scheduler, meant);
    }

    @Override
    boolean isYes(JsonNode answer) {
        return answer.path("result").asText().equals("selected");
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        head(answer, out);
        placement(answer.path("placement"), out);
        for (JsonNode round : answer.path("instances")) {
            round(round, answer.path("instances").size() > 1, out);
        }
        JsonNode nearest = answer.path("nearest_miss");
        if (nearest.path("host").isTextual()) {
            out.println();
            Table.printText("Nearest: " + nearest.path("host").asText() + ": " + nearest.path("reason").asText(), out);
        }
        claims(answer, out);
    }

    private static void head(JsonNode answer, PrintWriter out) {
        out.println("decision " + answer.path("decision_id").asText() + ": " + answer.path("result").asText());
        var about = new StringJoiner(", ");
        for (String member : List.of("time", "kind", "flavor", "project_id")) {
            JsonNode name = answer.path(member.replace("_id", "_name"));
            if (answer.path(member).isTextual()) {
                about.add(member.replace("_id", "") + " " + named(name, answer.path(member)));
            }
        }
        for (int i = 0; i < answer.path("instance_names").size(); i++) {
            about.add("instance " + named(answer.path("instance_names").path(i), answer.path("instance_uuids").path(i)));
        }
        if (about.length() > 0) {
            Table.printText(about.toString(), out);
        }
        for (JsonNode places : answer.path("selections")) {
            var hosts = new StringJoiner(", ");
            places.forEach(place -> hosts.add(place.path("host").asText()));
            Table.printText(
                    places.isEmpty() ? "nowhere" : "on " + hosts.toString().replaceFirst(", ", "; alternates: "), out);
        }
        if (answer.path("detail").isTextual()) {
            Table.printText(answer.path("detail").asText(), out);
        }
        Warnings.print(answer, out);
    }

    /** The name with the id behind it. */
    private static String named(JsonNode name, JsonNode id) {
        return name.isTextual() && !name.equals(id) ? name.asText() + " (" + id.asText() + ")" : id.asText();
    }

    private static void placement(JsonNode placement, PrintWriter out) {
        if (!placement.path("roots").isNumber()) {
            return;
        }
        out.println();
        var funnel = new Funnel(out, placement.path("roots").asLong(), "provider trees there are");
        placement.path("demands").forEach(
                demand -> funnel.step(demand.path("after_all_before").asLong(), demand.path("demand").asText()));
        JsonNode nearest = placement.path("nearest_miss");
        if (nearest.path("reason").isTextual()) {
            out.println();
            Table.printText(
                    "Nearest: " + nearest.path("provider_name").asText() + ": " + nearest.path("reason").asText(), out);
        }
    }

    private static void round(JsonNode round, boolean isOneOfMany, PrintWriter out) {
        out.println();
        if (isOneOfMany) {
            out.println("instance " + (round.path("index").asInt() + 1));
        }
        var funnel = new Funnel(out, count(round.path("preselection").path("hosts_in")), "hosts that placement offers");
        funnel.step(count(round.path("preselection").path("hosts_out")), "forced, ignored or asked for by name");
        var rejected = new Table("host", "removed by", "reason");
        for (JsonNode filter : round.path("filters")) {
            funnel.step(count(filter.path("hosts_out")), filter.path("name").asText());
            for (JsonNode each : filter.path("rejected")) {
                if (rejected.size() < REJECTED_MAX) {
                    rejected.row(each.path("host").asText(), filter.path("name").asText(), each.path("reason").asText());
                }
            }
        }
        rejected.print(out);
        ranked(round, out);
    }

    /** Prints the best hosts, with the values of each weigher that has an effect. */
    private static void ranked(JsonNode round, PrintWriter out) {
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
        var table = new Table(headings.toArray(String[]::new));
        String selected = round.path("selected").path("host").asText();
        for (JsonNode host : hosts) {
            if (table.size() == RANKED_MAX) {
                break;
            }
            List<Object> row = new ArrayList<>(List.of(host.path("host").asText(), number(host.path("weight"))));
            for (String weigher : weighers) {
                String weighted = "";
                for (JsonNode weight : host.path("weights")) {
                    weighted = weight.path("weigher").asText().equals(weigher) ? number(weight.path("weighted")) : weighted;
                }
                row.add(weighted);
            }
            row.add(host.path("host").asText().equals(selected) ? "chosen" : "");
            table.row(row.toArray());
        }
        table.print(out);
    }

    private static void claims(JsonNode answer, PrintWriter out) {
        var table = new Table("claim on", "outcome", "");
        for (JsonNode claim : answer.path("claims")) {
            table.row(claim.path("host").asText(), claim.path("outcome").asText(), claim.path("detail").asText());
        }
        table.print(out);
        var phases = new StringJoiner(", ");
        answer.path("phases_ms").properties().forEach(
                phase -> phases.add(phase.getKey() + " " + phase.getValue().asText()));
        if (phases.length() > 0) {
            out.println();
            Table.printText("Milliseconds: " + phases, out);
        }
    }

    private static String number(JsonNode weight) {
        return weight.isNumber() ? "%.3f".formatted(weight.asDouble()) : "-";
    }

    /** Returns the number of hosts, which full explanations list. */
    private static long count(JsonNode hosts) {
        return hosts.isArray() ? hosts.size() : hosts.asLong();
    }
}
