package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A subcommand of {@code berth drain} that starts, shows or stops a drain, or prints its next moves. Sends one request,
 * to {@code /v1/drains/NAME} or {@code /v1/drains/NAME/next}.
 */
@Command(footer = {"", "Exit status: 0 the command succeeded (`status`: and the drain is done; `next`: and printed"
        + " moves). 1 the command failed. 2 invalid arguments. 3 none of the remaining instances can be moved. 4 moves"
        + " are under way or still to be made. 5 (`next` only) no instance is left."})
abstract class DrainActionCommand extends SchedulerCommand {
    /** Exit status of {@code status} and {@code next}: none of the remaining instances can be moved. */
    private static final int EXIT_STUCK = 3;
    /** Exit status of {@code status} and {@code next}: moves are under way or still to be made. */
    private static final int EXIT_UNDER_WAY = 4;
    /** Exit status of {@code next}: the drain is done, so that there are no more moves. */
    private static final int EXIT_NONE_LEFT = 5;

    @Parameters(index = "0", paramLabel = "NAME", description = "name of the drain")
    private String name;

    /**
     * Sends the request and returns the response body.
     *
     * @param path {@code /v1/drains/NAME}
     */
    abstract JsonNode sendRequest(RestClient scheduler, String path) throws ApiFailure, InterruptedException;

    /** Prints the response as text. */
    abstract void print(JsonNode response, PrintWriter out);

    /** Returns the exit status for the response body; 0 unless a subclass overrides this method. */
    int exitStatus(JsonNode response) {
        return CommandLine.ExitCode.OK;
    }

    @Override
    public final Integer call() throws ApiFailure, InterruptedException {
        JsonNode response = sendRequest(scheduler(), "/v1/drains/" + RestClient.encoded(name));
        if (isJson()) {
            out().println(response.toPrettyString());
        } else {
            print(response, out());
        }
        return exitStatus(response);
    }

    /** Prints the commands for nova that the scheduler suggests. */
    private static void printCommands(JsonNode response, PrintWriter out) {
        response.path("commands").forEach(command -> out.println(command.asText()));
    }

    /** Returns the name of the move's instance; the instance's uuid if the name is unknown. */
    private static String instanceName(JsonNode move) {
        return move.path("name").asText(move.path("instance").asText());
    }

    /** Starts a drain with {@code PUT /v1/drains/NAME}. */
    @Command(
            name = "start",
            header = "disable hosts and begin to empty them",
            description = {"", "Disables the compute services of hosts and begins to empty them. `next` has the moves.",
                ""})
    static final class Start extends DrainActionCommand {
        @Parameters(index = "1..*", paramLabel = "HOST", description = "names of hosts")
        private @Nullable List<String> hosts;

        @ArgGroup(multiplicity = "0..1")
        private @Nullable DrainCommand.GroupSelection groupSelection;

        @Option(names = "--reason", paramLabel = "TEXT",
                description = "why the services are disabled (default: drain NAME)")
        private @Nullable String reason;

        @Option(names = "--parallel", paramLabel = "COUNT", description = "moves at a time (default: 1)")
        private @Nullable Integer parallel;

        @Option(names = "--per-host", paramLabel = "COUNT", description = "moves at a time from one host (default: 1)")
        private @Nullable Integer perHost;

        @Override
        JsonNode sendRequest(RestClient scheduler, String path) throws ApiFailure, InterruptedException {
            return scheduler.send("PUT", path, body(), 200, 201);
        }

        ObjectNode body() {
            if ((hosts == null) == (groupSelection == null)) {
                throw new IllegalArgumentException(
                        "name the hosts after NAME: exactly one of HOST..., --zone, --aggregate, --trait");
            }
            ObjectNode body = RestClient.emptyObject();
            body.set("select",
                    (groupSelection == null ? new DrainCommand.GroupSelection() : groupSelection).selector(hosts));
            if (reason != null) {
                body.put("reason", reason);
            }
            if (parallel != null) {
                body.put("parallel", parallel);
            }
            if (perHost != null) {
                body.put("per_host", perHost);
            }
            return body;
        }

        @Override
        void print(JsonNode response, PrintWriter out) {
            long instances = response.path("hosts").valueStream()
                    .mapToLong(host -> host.path("instances").asLong())
                    .sum();
            out.println("# %s: hosts %,d, instances %,d".formatted(
                    response.path("name").asText(), response.path("hosts").size(), instances));
            printCommands(response, out);
        }
    }

    /** Shows the progress of a drain with {@code GET /v1/drains/NAME}. */
    @Command(
            name = "status",
            header = "the progress of a drain",
            description = {"", "Shows the progress of a drain, and why instances cannot be moved.", ""})
    static final class Status extends DrainActionCommand {
        @Override
        JsonNode sendRequest(RestClient scheduler, String path) throws ApiFailure, InterruptedException {
            return scheduler.get(path);
        }

        @Override
        void print(JsonNode response, PrintWriter out) {
            JsonNode instances = response.path("instances");
            out.println("%s: %s; of %,d instances %,d moved, %,d under way, %,d remaining, %,d stuck".formatted(
                    response.path("name").asText(), response.path("state").asText(), instances.path("start").asLong(),
                    instances.path("moved").asLong(), instances.path("under_way").asLong(),
                    instances.path("remaining").asLong(), instances.path("stuck").asLong()));
            response.path("stuck").forEach(stuckMove -> out.println("  stuck on %s: %s: %s".formatted(
                    stuckMove.path("from").asText(), instanceName(stuckMove), stuckMove.path("reason").asText())));
            for (JsonNode host : response.path("hosts")) {
                if (host.path("vanished").asBoolean()) {
                    out.println("  host %s is gone".formatted(host.path("host").asText()));
                }
                host.path("left").properties().forEach(entry -> out.println("  %s %s on %s are used by other consumers"
                        .formatted(entry.getValue().asText(), entry.getKey(), host.path("host").asText())));
            }
            response.path("gaps").forEach(gap -> out.println("  not complete: " + gap.asText()));
            printCommands(response, out);
        }

        @Override
        int exitStatus(JsonNode response) {
            return switch (response.path("state").asText()) {
                case "done" -> CommandLine.ExitCode.OK;
                case "stuck" -> EXIT_STUCK;
                default -> EXIT_UNDER_WAY;
            };
        }
    }

    /** Prints the moves that may begin now, from {@code GET /v1/drains/NAME/next}. */
    @Command(
            name = "next",
            header = "the moves of a drain that may begin now",
            description = {"",
                "Prints the moves of a drain that may begin now, as commands for nova; with --json as bodies of"
                        + " POST /v1/moves.", ""})
    static final class Next extends DrainActionCommand {
        @Option(names = "--limit", paramLabel = "COUNT", description = "print at most this many moves")
        private @Nullable Integer limit;

        @Override
        JsonNode sendRequest(RestClient scheduler, String path) throws ApiFailure, InterruptedException {
            return scheduler.get(path + "/next" + (limit == null ? "" : "?limit=" + limit));
        }

        @Override
        void print(JsonNode response, PrintWriter out) {
            out.println("# %s: %s; %,d under way, %,d remaining".formatted(
                    response.path("drain").asText(), response.path("state").asText(),
                    response.path("under_way").asLong(), response.path("remaining").asLong()));
            printCommands(response, out);
        }

        @Override
        int exitStatus(JsonNode response) {
            return !response.path("moves").isEmpty()
                    ? CommandLine.ExitCode.OK
                    : switch (response.path("state").asText()) {
                        case "done" -> EXIT_NONE_LEFT;
                        case "stuck" -> EXIT_STUCK;
                        default -> EXIT_UNDER_WAY;
                    };
        }
    }

    /** Stops a drain with {@code DELETE /v1/drains/NAME}. */
    @Command(
            name = "stop",
            header = "stop a drain",
            description = {"", "Stops a drain. The services stay disabled unless --enable is given.", ""})
    static final class Stop extends DrainActionCommand {
        @Option(names = "--enable", description = "enable the services that the drain disabled")
        private boolean enable;

        @Override
        JsonNode sendRequest(RestClient scheduler, String path) throws ApiFailure, InterruptedException {
            return scheduler.send("DELETE", path + (enable ? "?enable=true" : ""), null, 200);
        }

        @Override
        void print(JsonNode response, PrintWriter out) {
            out.println("# %s is stopped: %s"
                    .formatted(response.path("name").asText(), response.path("detail").asText()));
            printCommands(response, out);
        }
    }
}
