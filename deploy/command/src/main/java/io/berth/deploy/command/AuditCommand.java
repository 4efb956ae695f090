package io.berth.deploy.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs {@code berth audit}: lists inconsistent rows of placement's tables, heals them or undoes an earlier healing,
 * with placement's routes {@code /berth/v1/audit}.
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
    /**
     * Maximum number of known consumers (the uuids in the file of {@code --known-consumers}) that placement accepts in
     * one request. A file with more is sent in several requests.
     */
    private static final int KNOWN_MAX = 400_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--known-consumers", paramLabel = "FILE",
            description = "uuids of all instances and migrations, one on a line; also finds all other consumers")
    private @Nullable Path knownConsumersFile;

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
        RestClient client = cloud.client(Service.PLACEMENT);
        RestClient placement = json ? client : client.preferringText();
        if (action.undo != null) {
            print(placement.call("POST", PATH + "/" + action.undo + "/undo", null, 200));
            return CommandLine.ExitCode.OK;
        }
        long findings = 0;
        for (ObjectNode body : bodies(knownConsumersFile == null ? null : readConsumers(knownConsumersFile),
                action.apply, KNOWN_MAX)) {
            // Without options a GET is enough, and RestClient retries a GET but never a POST.
            RestClient.Response response =
                    body.isEmpty() ? placement.getResponse(PATH) : placement.call("POST", PATH, body, 200);
            print(response);
            findings += response.headers().firstValueAsLong("berth-findings").orElseThrow(() -> new ApiFailure(
                    placement.endpoint() + " sent no header berth-findings: placement is older than this command"));
        }
        // The header berth-findings counts the healed findings with --apply, and the listed findings without it. With
        // `--apply all`, the change is done whatever the count.
        boolean isDone = action.apply.equals(ALL)
                || findings == action.apply.stream().distinct().count();
        return isDone ? CommandLine.ExitCode.OK : EXIT_FOUND;
    }

    private void print(RestClient.Response response) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? response.body().toPrettyString() + System.lineSeparator() : response.text());
        out.flush();
    }

    /** Reads the uuids of a file: in lower case, in ascending order, each once. */
    private static List<String> readConsumers(Path file) {
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
     * a range of uuids, from known_from (inclusive; absent in the first body) to known_until (exclusive; absent in the
     * last body). The first body requests all kinds of findings, the others only unknown consumers.
     *
     * @param known the known consumers in ascending order; null to leave out the comparison with known consumers
     * @param apply ids of findings to heal; {@code all}; or empty to heal none
     * @param knownMax maximum number of known consumers in one body
     */
    static List<ObjectNode> bodies(@Nullable List<String> known, List<String> apply, int knownMax) {
        List<ObjectNode> bodies = new ArrayList<>();
        int next = 0;
        do {
            ObjectNode body = RestClient.emptyObject();
            if (known != null && next > 0) {
                body.putArray("kinds").add("unknown_consumer");
                body.put("known_from", known.get(next));
            }
            if (known != null) {
                int end = Math.min(known.size(), next + knownMax);
                known.subList(next, end).forEach(body.putArray("known_consumers")::add);
                if (end < known.size()) {
                    body.put("known_until", known.get(end));
                }
                next = end;
            }
            if (apply.equals(ALL)) {
                body.put("apply", "all");
            } else if (!apply.isEmpty()) {
                apply.forEach(body.putArray("apply")::add);
            }
            bodies.add(body);
        } while (known != null && next < known.size());
        return bodies;
    }
}
