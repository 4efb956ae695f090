package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Bar;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Calls {@code POST /v1/capacity}. */
@Command(
        name = "how-many",
        header = "how many more fit, and what stops the next one",
        description = {
            "",
            "How many more of each flavor would be placed, one after the other, until the first refusal, and what stops the"
                    + " next one.",
            ""
        })
public final class HowManyCommand extends TimedQuestion {
    private static final int BAR = 24;
    private static final List<String> KINDS = List.of("zone", "aggregate", "cell", "host");

    @Parameters(paramLabel = "FLAVOR", arity = "1..*", converter = FlavorText.Converter.class,
            description = "[NAME=]VCPUS:MB[:GB], memory in MB, disk in GB: 4:8192:40, or 4:8GiB:40")
    private List<FlavorText> flavors;

    @Option(names = "--by", paramLabel = "zone|aggregate|cell|host", description = "split the number like this; repeatable")
    private List<String> by = List.of();

    @Option(names = "--joint", description = "fill with all flavors in turns, instead of each alone")
    private boolean joint;

    @Mixin
    private RequestOptions request;

    HowManyCommand() {
        super("/v1/capacity");
    }

    HowManyCommand(List<String> by) {
        this();
        this.by = by;
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.object();
        body.set("requests", request.counted(flavors));
        for (String kind : by) {
            if (!KINDS.contains(kind)) {
                throw new IllegalArgumentException("--by takes %s, not %s".formatted(String.join(", ", KINDS), kind));
            }
            body.withArrayProperty("by").add(kind);
        }
        if (joint) {
            body.put("joint", true);
        }
        return body;
    }

    /** Returns whether at least one of each fits. */
    @Override
    boolean isYes(JsonNode answer) {
        return answer.path("requests").valueStream().noneMatch(each -> each.path("count").asLong() == 0);
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        boolean first = true;
        for (JsonNode each : answer.path("requests")) {
            if (!first) {
                out.println();
            }
            first = false;
            boolean isMore = each.path("capped").asBoolean() || !each.path("complete").asBoolean(true);
            out.println("%s: %s%,d more".formatted(
                    each.path("name").asText(), isMore ? "at least " : "", each.path("count").asLong()));
            for (String why : new String[] {"refused", "why"}) {
                if (each.path(why).isTextual()) {
                    Table.printText(each.path(why).asText(), out);
                }
            }
            Warnings.print(each, out);
            for (String kind : by) {
                split(kind, each.path("by").path(kind), out);
            }
            var binding = new StringJoiner(", ");
            for (Map.Entry<String, JsonNode> stop : each.path("binding").properties()) {
                binding.add("%s on %,d hosts".formatted(stop.getKey(), stop.getValue().asLong()));
            }
            if (binding.length() > 0) {
                out.println();
                Table.printText("What stops the next one: " + binding, out);
            }
        }
    }

    private static void split(String kind, JsonNode parts, PrintWriter out) {
        long most = parts.valueStream().mapToLong(JsonNode::asLong).max().orElse(0);
        var table = new Table(kind, "more", "");
        for (Map.Entry<String, JsonNode> part : parts.properties()) {
            table.row(part.getKey(), part.getValue().asLong(), Bar.of(part.getValue().asLong(), most, BAR));
        }
        table.print(out);
    }
}
