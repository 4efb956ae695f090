package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code berth what-if}: counts with {@code POST /v1/what_if} how many more instances fit on the present fleet,
 * and on the same fleet with changes, which are only evaluated.
 */
@Command(
        name = "what-if",
        header = "how many would fit after a change of the fleet",
        description = {"",
            "Counts how many more instances of each flavor would be placed now, and on a changed fleet. Exit"
                    + " status 3 if there would be fewer.", ""})
public final class WhatIfCommand extends TimedAnalysisCommand {
    @Parameters(paramLabel = "FLAVOR", arity = "1..*", converter = FlavorText.Converter.class,
            description = "[NAME=]VCPUS:MB[:GB]: 4:8192:40, or 4:8GiB:40")
    private List<FlavorText> flavors;

    @Option(names = "--add", paramLabel = "HOST=COUNT",
            description = "add this many empty hosts like this one; repeatable")
    private Map<String, Integer> added = new LinkedHashMap<>();

    @Option(names = "--remove", paramLabel = "HOST", description = "without this host; repeatable")
    private List<String> removed = List.of();

    @Option(names = "--disable", paramLabel = "HOST", description = "with this host disabled; repeatable")
    private List<String> disabled = List.of();

    @Option(names = "--enable", paramLabel = "HOST", description = "with this host enabled; repeatable")
    private List<String> enabled = List.of();

    @Mixin
    private RequestOptions request;

    WhatIfCommand() {
        super("/v1/what_if");
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.emptyObject();
        ArrayNode changes = body.putArray("changes");
        added.forEach((templateHost, count) -> changes.addObject().putObject("add").put("like", templateHost)
                .put("count", count));
        addChange(changes, "remove", removed);
        addChange(changes, "disable", disabled);
        addChange(changes, "enable", enabled);
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("a change is missing: --add, --remove, --disable or --enable");
        }
        body.putObject("ask").set("capacity", request.capacityRequests(flavors));
        return body;
    }

    private static void addChange(ArrayNode changes, String change, List<String> hosts) {
        if (!hosts.isEmpty()) {
            hosts.forEach(changes.addObject().putObject(change).putArray("hosts")::add);
        }
    }
}
