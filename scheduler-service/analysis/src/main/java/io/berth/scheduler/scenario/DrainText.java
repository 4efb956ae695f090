package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Renders a plan for emptying hosts as text for people, from the JSON of
 * {@link io.berth.scheduler.planning.DrainPlan#render}.
 */
final class DrainText {
    /** The maximum number of hosts that are shown as not empty; the text has the number of further ones. */
    private static final int HOSTS_MAX = 50;
    /** The maximum number of instances in the table. */
    private static final int INSTANCES_MAX = 200;

    private DrainText() {}

    static void write(JsonNode drain, PlainText out) {
        List<JsonNode> notEmptied = drain.path("hosts").valueStream()
                .filter(host -> !host.path("emptied").asBoolean())
                .toList();
        notEmptied.stream().limit(HOSTS_MAX).forEach(host -> out.line(remainingUse(host)));
        out.more(notEmptied.size() - HOSTS_MAX, "hosts");
        var table = new Table(INSTANCES_MAX, "instance", "from", "to", "why not");
        JsonNode instances = drain.path("instances");
        instances.forEach(each -> table.row(
                each.path("name").asText(each.path("instance").asText()), each.path("from").asText(),
                each.path("host").asText("-"), each.path("reason").asText()));
        out.table(table).gap().line(PlainText.format(
                "%,d of %,d instances would have a place",
                instances.valueStream().filter(each -> each.path("host").isTextual()).count(), instances.size()));
        // If all instances of a host would leave it and it is still not empty, consumers that are not registered use
        // it. The text shows for one such host how to find them.
        notEmptied.stream().filter(host -> host.path("instances").equals(host.path("placed"))).limit(1)
                .map(host -> host.path("host").asText())
                .forEach(host -> out
                        .line("Who uses %1$s: openstack resource provider list --name %1$s, then".formatted(host))
                        .line("openstack resource provider show --allocations UUID"));
    }

    /**
     * Describes the amounts that would stay in use on a host, and why: some instances have no destination, or consumers
     * that are not registered use the host.
     */
    private static String remainingUse(JsonNode host) {
        long stuck = host.path("instances").asLong() - host.path("placed").asLong();
        String amounts = host.path("left").properties().stream()
                .map(each -> each.getValue().asText() + " " + each.getKey())
                .collect(Collectors.joining(" and "));
        return PlainText.format("%s would not be empty: %s stay in use, %s",
                host.path("host").asText(), amounts.isEmpty() ? "resources" : amounts,
                stuck == 0 ? "by consumers that are not registered"
                        : stuck == 1 ? "as 1 instance finds no place"
                                : PlainText.format("as %,d instances find no place", stuck));
    }
}
