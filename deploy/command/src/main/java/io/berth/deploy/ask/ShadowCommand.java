package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls {@code GET /v1/shadow}. */
@Command(
        name = "shadow",
        header = "what Berth would choose beside nova-scheduler",
        description = {
            "",
            "What Berth would have chosen beside what nova-scheduler chose, of a scheduler that listens beside it"
                    + " (berth.nova.shadow).",
            ""
        })
public final class ShadowCommand extends Question {
    @Option(names = "--since", paramLabel = "TIME", description = "only what came from then on: 2026-01-31T12:00:00Z")
    private String since;

    @Option(names = "--limit", paramLabel = "COUNT", description = "of the latest differences; ${DEFAULT-VALUE} unless said")
    private int limit = 20;

    @Override
    JsonNode ask(RestClient scheduler) throws ApiFailure, InterruptedException {
        return scheduler.get("/v1/shadow?limit=" + limit
                + (since == null ? "" : "&since=" + RestClient.encoded(since)));
    }

    /** Returns whether there is no difference. */
    @Override
    boolean isYes(JsonNode answer) {
        return answer.path("verdicts").path("different").asLong() == 0;
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        JsonNode verdicts = answer.path("verdicts");
        out.println("%,d instances: %,d agreed, %,d of equal weight, %,d different, %,d refused by both, %,d not comparable"
                .formatted(
                        answer.path("instances").asLong(), verdicts.path("agreed").asLong(),
                        verdicts.path("equal_weight").asLong(), verdicts.path("different").asLong(),
                        verdicts.path("both_refused").asLong(), verdicts.path("not_comparable").asLong()));
        Table.printText("This replica waits for nova's claim of %,d, and dropped %,d since it started.".formatted(
                answer.path("waiting").asLong(), answer.path("dropped").asLong()), out);
        if (answer.path("decided_ms").path("median").isNumber()) {
            Table.printText("Berth chose after " + times(answer.path("decided_ms")) + "; nova's claim was seen after "
                    + times(answer.path("claim_seen_ms")) + ".", out);
        }
        var reasons = new Table("instances", "verdict", "reason", "by");
        answer.path("reasons").forEach(each -> reasons.row(
                each.path("count").asLong(), words(each.path("verdict")), words(each.path("reason")), each.path("by").asText("")));
        reasons.print(out);
        var differences = new Table("instance", "Berth's choice and nova's");
        answer.path("differences").forEach(each -> differences.row(each.path("instance_uuid").asText(), told(each)));
        differences.print(out);
        if (!differences.isEmpty()) {
            out.println();
            Table.printText("Each decision as it was made: berth why INSTANCE.", out);
        }
    }

    private static String told(JsonNode each) {
        String by = each.path("by").isTextual() ? " by " + each.path("by").asText() : "";
        String detail = each.path("detail").isTextual() ? ": " + each.path("detail").asText() : "";
        return each.path("host").asText("none") + ", nova " + each.path("nova_host").asText() + "; " + words(each.path("reason"))
                + by + detail;
    }

    private static String times(JsonNode of) {
        return of.path("median").isNumber()
                ? String.format(Locale.ROOT, "%,.0f ms (nine of ten within %,.0f)", of.path("median").asDouble(), of.path("p90").asDouble())
                : "-";
    }

    private static String words(JsonNode name) {
        return name.asText().replace('_', ' ');
    }
}
