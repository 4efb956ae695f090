package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the JSON response of {@link WhatIfEndpoint} as text for people, part by part. */
final class WhatIfText {
    /** The maximum number of rows in a table. */
    private static final int ROWS_MAX = 100;
    /** The maximum number of hosts that are shown for one request. */
    private static final int HOSTS_MAX = 5;

    private final JsonNode before;
    private final JsonNode after;
    private final PlainText out = new PlainText();

    private WhatIfText(JsonNode response) {
        this.before = response.path("before");
        this.after = response.path("after");
    }

    static String of(JsonNode response) {
        var text = new WhatIfText(response);
        text.writeCapacity();
        text.writePlacements();
        if (text.after.has("drain")) {
            DrainText.write(text.after.path("drain"), text.out.gap());
        }
        text.writeReplay(response.path("difference").path("replay"));
        Remarks.writeGaps(response, text.out);
        return text.out.toString();
    }

    private void writeCapacity() {
        var table = new Table(ROWS_MAX, "flavor", "fit now", "then");
        JsonNode ofBefore = before.path("capacity");
        JsonNode ofAfter = after.path("capacity");
        for (int i = 0; i < ofAfter.size(); i++) {
            table.row(ofAfter.path(i).path("name").asText(),
                    ofBefore.path(i).path("count").asLong(), ofAfter.path(i).path("count").asLong());
        }
        out.table(table);
    }

    private void writePlacements() {
        var table = new Table(ROWS_MAX, "request", "goes now to", "then to");
        JsonNode ofBefore = before.path("placements");
        JsonNode ofAfter = after.path("placements");
        for (int i = 0; i < ofAfter.size(); i++) {
            table.row(i + 1, hosts(ofBefore.path(i)), hosts(ofAfter.path(i)));
        }
        out.table(table);
    }

    /** Returns up to {@value #HOSTS_MAX} hosts of a request, or why the request has none. */
    private static String hosts(JsonNode placement) {
        JsonNode hosts = placement.path("hosts");
        if (hosts.isEmpty()) {
            return placement.path("text").asText("-");
        }
        int more = hosts.size() - HOSTS_MAX;
        return hosts.valueStream().limit(HOSTS_MAX)
                .map(host -> host.path("host").asText())
                .collect(Collectors.joining(", ", "", more > 0 ? PlainText.format(" … and %,d more", more) : ""));
    }

    private void writeReplay(JsonNode difference) {
        if (!after.has("replay")) {
            return;
        }
        var table = new Table("recorded requests, placed again", "now", "then");
        for (String member : List.of("requests", "instances_placed", "hosts_used")) {
            table.row(member.replace('_', ' '),
                    before.path("replay").path(member).asLong(), after.path("replay").path(member).asLong());
        }
        out.table(table).gap().line(PlainText.format(
                "%,d of the requests would go elsewhere", difference.path("elsewhere").asLong()));
    }
}
