package io.berth.deploy.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/**
 * Runs {@code berth audit}: reports inconsistent rows, heals them, or undoes an earlier healing. Calls {@code
 * /berth/v1/audit} of placement.
 */
@Command(
        name = "audit",
        header = "find inconsistent rows in placement's tables, and heal them",
        description = {
            "",
            "Lists inconsistent rows in placement's tables, and heals what can be restored. Changes nothing without"
                    + " --apply or --undo. The kinds are described in deploy/README.md, \"Audit and heal\".",
            ""
        },
        footer = {"",
            "Exit status: 0 nothing was found, or the requested change is done; 1 the command failed; 2 invalid"
                    + " arguments; 3 something was found, or a finding that --apply names was not healed."})
final class AuditCommand implements Callable<Integer> {
    private static final int EXIT_FOUND = 3;
    private static final String PATH = "/berth/v1/audit";
    private static final List<String> ALL = List.of("all");
    /** The most known consumers that placement accepts in one request; more are sent in several requests. */
    private static final int KNOWN_MAX = 400_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--known-consumers", paramLabel = "FILE",
            description = "uuids of all instances and migrations, one on a line; also finds all other consumers")
    private @Nullable Path knownFile;

    @ArgGroup
    private Action action = new Action();

    @Option(names = "--json", description = "print the response as JSON")
    private boolean json;

    private static final class Action {
        @Option(names = "--apply", paramLabel = "ID", split = ",",
                description = "heal these findings; `all` for all except unknown consumers")
        private List<String> apply = List.of();

        @Option(names = "--undo", paramLabel = "AUDIT", description = "restore what that audit healed")
        private @Nullable UUID undo;
    }

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        RestClient placement = cloud.client(Service.PLACEMENT);
        PrintWriter out = spec.commandLine().getOut();
        if (action.undo != null) {
            JsonNode undone = placement.send("POST", PATH + "/" + action.undo + "/undo", null, 200);
            out.println(json ? undone.toPrettyString() : "undone: %,d rows".formatted(undone.path("rows").asLong()));
            return CommandLine.ExitCode.OK;
        }
        boolean heals = !action.apply.isEmpty();
        Set<String> unhealed = new HashSet<>(action.apply.equals(ALL) ? List.of() : action.apply);
        boolean anyFound = false;
        for (ObjectNode body : bodies(knownFile == null ? null : consumers(knownFile), action.apply, KNOWN_MAX)) {
            // Without options a GET is enough, and RestClient retries a GET but never a POST.
            JsonNode response = body.isEmpty() ? placement.get(PATH) : placement.send("POST", PATH, body, 200);
            JsonNode findings = response.path(heals ? "healed" : "findings");
            anyFound |= !findings.isEmpty();
            findings.forEach(each -> unhealed.remove(each.path("id").asText()));
            if (json) {
                out.println(response.toPrettyString());
            } else {
                print(out, heals, findings, response);
            }
        }
        return (heals ? unhealed.isEmpty() : !anyFound) ? CommandLine.ExitCode.OK : EXIT_FOUND;
    }

    /** Returns the uuids in the file in lower case, ascending, each once. */
    private static List<String> consumers(Path file) {
        try (var lines = Files.lines(file)) {
            List<String> consumers = lines.map(String::strip).filter(line -> !line.isEmpty())
                    .map(line -> line.toLowerCase(Locale.ROOT)).distinct().sorted().toList();
            if (consumers.isEmpty()) {
                throw new IllegalArgumentException(file + " names no consumer: all consumers would be unknown");
            }
            return consumers;
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("cannot read %s: name a file of text with a uuid a line".formatted(file),
                    e);
        }
    }

    /**
     * Returns the bodies of the requests. If there are more known consumers than one request accepts, each body covers
     * a range of uuids (known_from inclusive, known_until exclusive), and the first body also requests all other kinds
     * of findings.
     *
     * @param known uuids of the known consumers in ascending order; null not to search for unknown consumers
     * @param apply ids of findings to heal; {@code all}; or empty to heal none
     * @param knownMax maximum number of known consumers in one body
     */
    static List<ObjectNode> bodies(@Nullable List<String> known, List<String> apply, int knownMax) {
        List<ObjectNode> bodies = new ArrayList<>();
        int start = 0;
        do {
            ObjectNode body = RestClient.object();
            if (known != null && start > 0) {
                body.putArray("kinds").add("unknown_consumer");
                body.put("known_from", known.get(start));
            }
            if (known != null) {
                int end = Math.min(known.size(), start + knownMax);
                known.subList(start, end).forEach(body.putArray("known_consumers")::add);
                if (end < known.size()) {
                    body.put("known_until", known.get(end));
                }
                start = end;
            }
            if (apply.equals(ALL)) {
                body.put("apply", "all");
            } else if (!apply.isEmpty()) {
                apply.forEach(body.putArray("apply")::add);
            }
            bodies.add(body);
        } while (known != null && start < known.size());
        return bodies;
    }

    /** Prints the response as text. */
    static void print(PrintWriter out, boolean heals, JsonNode findings, JsonNode response) {
        var table = new Table("finding", "kind", "cure", "detail");
        for (JsonNode each : findings) {
            table.row(each.path("id").asText(), each.path("kind").asText(), each.path("cure").asText(),
                    each.path("detail").toString());
        }
        var text = new PlainText().table(table);
        response.path("advice").forEach(each -> text.indented(each.isTextual() ? each.asText() : each.toString()));
        response.path("truncated").forEach(kind -> text.indented("there is more of kind " + kind.asText()));
        if (heals) {
            // The response has an audit id only if something was healed.
            String undo = response.path("id").isTextual()
                    ? "; berth audit --undo %s restores the rows".formatted(response.path("id").asText()) : "";
            text.line(PlainText.format(
                    "healed: %,d findings, skipped: %,d%s", findings.size(), response.path("skipped").size(), undo));
        } else {
            text.line(findings.isEmpty() ? "nothing found"
                    : PlainText.format("%,d findings; --apply heals what can be restored", findings.size()));
        }
        out.print(text);
        out.flush();
    }
}
