package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Calls {@code POST /v1/explanations}. */
@Command(
        name = "why-not",
        header = "what keeps an instance off a host, and what would let it in",
        description = {
            "",
            "What keeps an instance off a host, all of it, and the smallest changes that would let it in. Without a host:"
                    + " of the five that need least.",
            ""
        })
public final class WhyNotCommand extends TimedQuestion {
    private static final int BY_MAX = 36;

    @Parameters(paramLabel = "HOST", arity = "0..*", description = "names of hosts, up to 100")
    private List<String> hosts = List.of();

    @Option(names = "--flavor", paramLabel = "VCPUS:MB[:GB]", converter = FlavorText.Converter.class,
            description = "vcpus, memory in MB, disk in GB: 8:16384:80, or 8:16GiB:80")
    private FlavorText flavor;

    @Mixin
    private RequestOptions request;

    WhyNotCommand() {
        super("/v1/explanations");
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.object();
        body.set("request_spec", request.requestSpec(flavor));
        if (!hosts.isEmpty()) {
            hosts.forEach(body.putArray("hosts")::add);
        }
        return body;
    }

    @Override
    boolean isYes(JsonNode answer) {
        return answer.path("hosts").valueStream().anyMatch(host -> !host.path("verdict").asText().equals("rejected"));
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        answer.path("placed").forEach(instance -> Table.printText(
                instance.path("instance").asText() + " is placed since, on " + instance.path("host").asText(), out));
        Warnings.print(answer, out);
        boolean first = answer.path("placed").isEmpty() && !answer.has("warnings");
        for (JsonNode host : answer.path("hosts")) {
            if (!first) {
                out.println();
            }
            first = false;
            host(host, out);
        }
    }

    private static void host(JsonNode host, PrintWriter out) {
        String rank = !host.path("rank").isNumber() ? ""
                : ", rank %d of %d".formatted(host.path("rank").asInt(), host.path("ranked").asInt());
        out.println(host.path("host").asText() + ": " + host.path("verdict").asText() + rank);
        var obstacles = new Table("stage", "by", "what is in the way");
        for (JsonNode each : host.path("obstacles")) {
            String by = each.path("by").asText();
            String text = each.path("text").asText();
            obstacles.row(each.path("stage").asText(),
                    by.length() <= BY_MAX ? by : by.substring(0, BY_MAX - 3) + "...",
                    text.startsWith(by + ": ") ? text.substring(by.length() + 2) : text);
        }
        obstacles.print(out);
        var behind = new Table("behind the best by", "score", "best", "has", "best has");
        for (JsonNode each : host.path("behind")) {
            behind.row(each.path("by").asText(), "%.3f".formatted(each.path("score").asDouble()),
                    "%.3f".formatted(each.path("best_score").asDouble()), "%,.0f".formatted(each.path("raw").asDouble()),
                    "%,.0f".formatted(each.path("best_raw").asDouble()));
        }
        behind.print(out);
        for (JsonNode set : host.path("admitted_by")) {
            out.println();
            out.println("  Enough would be:");
            for (JsonNode change : set.isArray() ? set : set.path("changes")) {
                Changes.print(change, out);
            }
        }
    }
}
