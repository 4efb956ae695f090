package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs {@code berth how-many}: counts how many more instances of each flavor fit, with {@code POST /v1/capacity}. */
@Command(
        name = "how-many",
        header = "how many more fit, and what stops the next one",
        description = {
            "",
            "Counts how many more instances of each flavor would be placed, one after the other, until the first"
                    + " refusal, and what stops the next one.",
            ""
        })
public final class HowManyCommand extends TimedAnalysisCommand {
    private static final List<String> GROUPINGS = List.of("zone", "aggregate", "cell", "host");

    @Parameters(paramLabel = "FLAVOR", arity = "1..*", converter = FlavorText.Converter.class,
            description = "[NAME=]VCPUS:MB[:GB], memory in MB, disk in GB: 4:8192:40, or 4:8GiB:40")
    private List<FlavorText> flavors;

    @Option(names = "--by", paramLabel = "zone|aggregate|cell|host", description = "also count by this; repeatable")
    private List<String> groupings = List.of();

    @Option(names = "--joint", description = "place all flavors in turn on the same fleet, instead of each alone")
    private boolean joint;

    @Mixin
    private RequestOptions request;

    HowManyCommand() {
        super("/v1/capacity");
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.emptyObject();
        body.set("requests", request.capacityRequests(flavors));
        for (String grouping : groupings) {
            if (!GROUPINGS.contains(grouping)) {
                throw new IllegalArgumentException(
                        "--by must be one of %s, not %s".formatted(String.join(", ", GROUPINGS), grouping));
            }
            body.withArrayProperty("by").add(grouping);
        }
        if (joint) {
            body.put("joint", true);
        }
        return body;
    }
}
