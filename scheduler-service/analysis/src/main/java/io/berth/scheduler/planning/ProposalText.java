package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.List;
import java.util.stream.Collectors;

/** Renders a proposal as text for people, from the JSON of {@link Proposal#render}. */
final class ProposalText {
    /** The maximum number of hosts that a sentence lists; it then says how many more there are. */
    private static final int HOSTS_MAX = 20;

    private ProposalText() {}

    static String of(JsonNode proposal) {
        var out = new PlainText();
        out.line(result(proposal));
        var moves = new Table("instance", "from", "to", "memory MB", "disk GB");
        proposal.path("moves").forEach(move -> moves.row(
                instance(move), move.path("from").asText(), move.path("host").asText(),
                move.path("memory_mb").asLong(), move.path("disk_gb").asLong()));
        out.table(moves);
        if (!moves.isEmpty()) {
            JsonNode cost = proposal.path("cost");
            out.gap().line(PlainText.format(
                    "Cost: %,d MB of memory, %,d GB of disk. The JSON has the call that makes each move.",
                    cost.path("memory_mb").asLong(), cost.path("disk_gb").asLong()));
        }
        String binding = binding(proposal);
        if (!binding.isEmpty()) {
            out.gap().line("What prevents more: " + binding);
        }
        var stays = new Table("instance", "stays on", "why");
        proposal.path("stays").forEach(stay -> stays.row(
                instance(stay), stay.path("from").asText(), stay.path("reason").asText()));
        out.table(stays);
        Remarks.writeGaps(proposal, out);
        return out.toString();
    }

    /** Returns the first line, such as {@code make_room: reached with 1 move. 1 of 1 instances fit then, 0 now}. */
    private static String result(JsonNode proposal) {
        String goal = proposal.path("goal").asText();
        int moves = proposal.path("moves").size();
        JsonNode gain = proposal.path("gain");
        String detail = switch (goal) {
            case "make_room" -> PlainText.format(
                    "%,d of %,d instances fit then, %,d now", gain.path("slots").path("after").asLong(),
                    gain.path("slots").path("wanted").asLong(), gain.path("slots").path("before").asLong());
            case "empty_hosts" -> "Empty then: %s. Empty now: %s".formatted(
                    hosts(gain.path("emptied")), hosts(gain.path("empty_before")));
            default -> PlainText.format(
                    "The used shares of %s on %,d hosts deviate by %.3f then, %.3f now",
                    gain.path("resource_class").asText(), gain.path("hosts").asLong(),
                    gain.path("imbalance").path("after").asDouble(), gain.path("imbalance").path("before").asDouble());
        };
        return PlainText.format(
                "%s: %s %,d move%s. %s", goal, proposal.path("reached").asBoolean() ? "reached with" : "not reached,",
                moves, moves == 1 ? "" : "s", detail);
    }

    private static String hosts(JsonNode hosts) {
        List<String> names = hosts.valueStream().limit(HOSTS_MAX).map(JsonNode::asText).toList();
        return names.isEmpty()
                ? "none"
                : String.join(", ", names) + (hosts.size() > names.size()
                        ? PlainText.format(" and %,d more", hosts.size() - names.size())
                        : "");
    }

    /** Returns the obstacles with their numbers of hosts, or the reason why no host can take the request. */
    private static String binding(JsonNode proposal) {
        return proposal.path("binding").properties().stream()
                .map(each -> each.getValue().isTextual()
                        ? each.getValue().asText()
                        : PlainText.format("%s (%,d host%s)", each.getKey(), each.getValue().asLong(),
                                each.getValue().asLong() == 1 ? "" : "s"))
                .collect(Collectors.joining(", "));
    }

    private static String instance(JsonNode object) {
        return object.path("name").asText(object.path("instance").asText());
    }
}
