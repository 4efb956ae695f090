package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Calls {@code POST /v1/what_if} with the part {@code drain}. */
@Command(
        name = "drain",
        header = "where the instances of these hosts would go",
        description = {"", "Where the instances of these hosts would go, were they moved away one after the other.",
            "Exit status 3 where a host would not be empty afterwards. Nothing is moved: `start` begins, `next` has the"
                    + " moves, `status` shows how far it is. A host of such a name comes behind --.", ""},
        subcommands = {DrainDeed.Start.class, DrainDeed.Next.class, DrainDeed.Status.class, DrainDeed.Stop.class})
public final class DrainCommand extends TimedQuestion {
    /** Null if a subcommand is called. */
    @ArgGroup(multiplicity = "0..1")
    private Which which;

    /** The selection of hosts. */
    static final class Which extends Zoned {
        @Parameters(paramLabel = "HOST", arity = "1..*", description = "names of hosts")
        private List<String> hosts;

        ObjectNode selector() {
            return selector(hosts);
        }
    }

    /** The selection of hosts by something other than their names. */
    static class Zoned {
        @Option(names = "--zone", paramLabel = "NAME", description = "all hosts of this availability zone")
        private String zone;

        @Option(names = "--aggregate", paramLabel = "NAME|UUID", description = "all members of this host aggregate")
        private String aggregate;

        @Option(names = "--trait", paramLabel = "TRAIT", description = "all hosts of which a provider has this trait")
        private String trait;

        /**
         * Returns the selector as the scheduler takes it.
         *
         * @param hosts null for a selection by something else
         */
        final ObjectNode selector(List<String> hosts) {
            ObjectNode selector = RestClient.object();
            if (hosts != null) {
                hosts.forEach(selector.putArray("hosts")::add);
            } else if (zone != null) {
                selector.put("zone", zone);
            } else if (aggregate != null) {
                selector.put("aggregate", aggregate);
            } else {
                selector.put("trait", trait);
            }
            return selector;
        }
    }

    DrainCommand() {
        super("/v1/what_if");
    }

    @Override
    ObjectNode body() {
        if (which == null) {
            throw new IllegalArgumentException("which hosts is missing: HOST, --zone, --aggregate or --trait");
        }
        ObjectNode body = RestClient.object();
        body.putArray("changes").addObject().set("disable", which.selector());
        body.putObject("ask").set("drain", which.selector());
        return body;
    }

    private static JsonNode forecast(JsonNode answer) {
        return answer.path("after").path("drain");
    }

    /**
     * Returns whether nothing would be left on any of the hosts, which is more than a place for each registered
     * instance.
     */
    @Override
    boolean isYes(JsonNode answer) {
        return forecast(answer).path("hosts").valueStream().allMatch(DrainCommand::isEmptied);
    }

    private static boolean isEmptied(JsonNode host) {
        return host.path("emptied").asBoolean();
    }

    /** Describes the amounts that would stay in use on a host, and by which consumers. */
    private static String left(JsonNode host) {
        long stuck = host.path("instances").asLong() - host.path("placed").asLong();
        String amounts = host.path("left").properties().stream()
                .map(each -> each.getValue().asText() + " " + each.getKey())
                .collect(Collectors.joining(" and "));
        return "%s would not be empty: %s stay in use, %s".formatted(
                host.path("host").asText(), amounts.isEmpty() ? "resources" : amounts,
                stuck == 0 ? "by consumers that are not registered"
                        : "as %,d %s no place".formatted(stuck, stuck == 1 ? "instance finds" : "instances find"));
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        List<JsonNode> full = forecast(answer).path("hosts").valueStream().filter(host -> !isEmptied(host)).toList();
        full.forEach(host -> out.println(left(host)));
        if (!full.isEmpty()) {
            out.println();
        }
        var table = new Table("instance", "from", "to", "why not");
        long placed = 0;
        for (JsonNode each : forecast(answer).path("instances")) {
            boolean isPlaced = each.path("host").isTextual();
            placed += isPlaced ? 1 : 0;
            table.row(each.path("name").asText(each.path("instance").asText()), each.path("from").asText(),
                    isPlaced ? each.path("host").asText() : "-", each.path("reason").asText());
        }
        if (!table.isEmpty()) {
            table.lines().forEach(out::println);
            out.println();
        }
        out.println("%,d of %,d instances would have a place".formatted(placed, table.size()));
        full.stream().filter(host -> host.path("instances").equals(host.path("placed"))).limit(1).forEach(host -> out.println("""
                Who uses %1$s: openstack resource provider list --name %1$s, then
                openstack resource provider show --allocations UUID""".formatted(host.path("host").asText())));
    }
}
