package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the JSON response of {@link WhatIfEndpoint} as text for people, part by part. Pure. */
final class WhatIfText {
    private static final int ROWS_MAX = 100;
    private static final int HOSTS_MAX = 5;

    private final JsonNode before;
    private final JsonNode after;
    private final PlainText out = new PlainText();

    private WhatIfText(JsonNode answer) {
        this.before = answer.path("before");
        this.after = answer.path("after");
    }

    static String of(JsonNode answer) {
        var text = new WhatIfText(answer);
        text.capacity();
        text.placements();
        if (text.after.has("drain")) {
            DrainText.write(text.after.path("drain"), text.out.gap());
        }
        text.replay(answer.path("difference").path("replay"));
        Remarks.writeGaps(answer, text.out);
        return text.out.toString();
    }

    private void capacity() {
        var table = new Table(ROWS_MAX, "flavor", "fit now", "then");
        JsonNode now = before.path("capacity");
        JsonNode then = after.path("capacity");
        for (int i = 0; i < then.size(); i++) {
            table.row(then.path(i).path("name").asText(),
                    now.path(i).path("count").asLong(), then.path(i).path("count").asLong());
        }
        out.table(table);
    }

    private void placements() {
        var table = new Table(ROWS_MAX, "request", "goes now to", "then to");
        JsonNode now = before.path("placements");
        JsonNode then = after.path("placements");
        for (int i = 0; i < then.size(); i++) {
            table.row(i + 1, place(now.path(i)), place(then.path(i)));
        }
        out.table(table);
    }

    /** Returns up to {@value #HOSTS_MAX} hosts of a request, or why the request has none. */
    private static String place(JsonNode placement) {
        JsonNode hosts = placement.path("hosts");
        if (hosts.isEmpty()) {
            return placement.path("text").asText("-");
        }
        int more = hosts.size() - HOSTS_MAX;
        return hosts.valueStream().limit(HOSTS_MAX)
                .map(host -> host.path("host").asText())
                .collect(Collectors.joining(", ", "", more > 0 ? PlainText.format(" … and %,d more", more) : ""));
    }

    private void replay(JsonNode difference) {
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
