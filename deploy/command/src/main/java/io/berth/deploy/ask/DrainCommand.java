package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code POST /v1/what_if} with the question {@code drain}. */
@Command(
        name = "drain",
        header = "where the instances of these hosts would go",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {"", "Where the instances of these hosts would go, were they moved away one after the other.", ""})
final class DrainCommand extends TimedQuestion {
    @Parameters(paramLabel = "HOST", arity = "1..*", description = "names of hosts")
    private List<String> hosts;

    DrainCommand() {
        super("/v1/what_if");
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.object();
        hosts.forEach(body.putArray("changes").addObject().putObject("disable").putArray("hosts")::add);
        hosts.forEach(body.putObject("ask").putObject("drain").putArray("hosts")::add);
        return body;
    }

    private static JsonNode forecast(JsonNode answer) {
        return answer.path("after").path("drain");
    }

    @Override
    boolean isYes(JsonNode answer) {
        return forecast(answer).path("instances").valueStream().allMatch(each -> each.path("host").isTextual());
    }

    @Override
    void print(JsonNode answer, PrintWriter out) {
        var table = new Table("instance", "from", "to", "why not");
        long placed = 0;
        for (JsonNode each : forecast(answer).path("instances")) {
            boolean isPlaced = each.path("host").isTextual();
            placed += isPlaced ? 1 : 0;
            table.row(each.path("instance").asText(), each.path("from").asText(),
                    isPlaced ? each.path("host").asText() : "-", each.path("reason").asText());
        }
        if (!table.isEmpty()) {
            table.lines().forEach(out::println);
            out.println();
        }
        out.println("%,d of %,d instances would have a place".formatted(placed, table.size()));
    }
}
