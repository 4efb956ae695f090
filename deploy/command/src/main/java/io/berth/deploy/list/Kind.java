package io.berth.deploy.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A kind of record that {@code berth KIND list} and {@code berth KIND show} read from the scheduler: its route, and the
 * columns that a list shows by default.
 */
public enum Kind {
    HOST("/v1/fleet", "hosts", "hosts, what they have and use", "state, zone, cell or any other column",
            List.of("host", "state", "zone", "instances", "VCPU_used", "VCPU", "MEMORY_MB_used", "MEMORY_MB")),
    DECISION("/v1/decisions", "decisions", "decisions on record, the latest first",
            "instance, project, host, result, flavor, since or until",
            List.of("time", "kind", "result", "instance_names", "flavor", "hosts", "decision_id")),
    INSTANCE("/v1/instances", "instances", "registered instances", "host",
            List.of("name", "uuid", "host", "project_name", "flavor_name")),
    GROUP("/v1/server_groups", "server_groups", "server groups and their members", "none",
            List.of("name", "policy", "uuid", "members"));

    private static final String UUID_PATTERN = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    private final String path;
    /**
     * The member of a response with the records. The member of this name with the suffix {@code _links} has the link to
     * the next page.
     */
    private final String member;
    private final String header;
    /** The filters that {@code list} accepts, for the help. */
    private final String filters;
    private final List<String> columns;

    Kind(String path, String member, String header, String filters, List<String> columns) {
        this.path = path;
        this.member = member;
        this.header = header;
        this.filters = filters;
        this.columns = columns;
    }

    /** The command {@code berth KIND} itself, which has only subcommands. */
    @Command
    private static final class Group {}

    /** Adds the subcommands {@code list} and {@code show} of each kind to the command {@code berth}. */
    public static void addTo(CommandLine berth) {
        for (Kind kind : values()) {
            var list = new CommandLine(new ListCommand(kind));
            list.getCommandSpec().usageMessage().header("list " + kind.header);
            list.getCommandSpec().usageMessage().footer("", "--filter takes: " + kind.filters + ".");
            var show = new CommandLine(new ShowCommand(kind));
            show.getCommandSpec().usageMessage().header("show one, by its uuid or name");
            var group = new CommandLine(new Group()).addSubcommand("list", list).addSubcommand("show", show);
            group.getCommandSpec().usageMessage().header(kind.header + ": list, show");
            berth.addSubcommand(kind.commandName(), group);
        }
    }

    private String commandName() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<String> columns() {
        return columns;
    }

    /**
     * The records of a list.
     *
     * @param hasMore whether the scheduler has more matching records than the limit
     */
    record Page(List<ObjectNode> records, boolean hasMore) {}

    /**
     * Reads the first records that match the filters. All hosts come in one response, and this method filters them,
     * because {@code GET /v1/fleet} has no filters. Records of other kinds come page by page, and the scheduler filters
     * them.
     *
     * @param columnValues the filters: for hosts, the value that each named column must have; for other kinds, query
     *         parameters of the route
     * @param limit maximum number of records, at least 1
     */
    Page list(RestClient scheduler, Map<String, String> columnValues, int limit)
            throws ApiFailure, InterruptedException {
        List<ObjectNode> records = new ArrayList<>();
        if (this == HOST) {
            Hosts.rows(scheduler.get(path)).stream()
                    .filter(host -> columnValues.entrySet().stream()
                            .allMatch(column -> host.path(column.getKey()).asText().equals(column.getValue())))
                    .forEach(records::add);
            return new Page(records.subList(0, Math.min(limit, records.size())), records.size() > limit);
        }
        String nextQuery = columnValues.entrySet().stream()
                .map(column -> "&" + RestClient.encoded(column.getKey()) + "=" + RestClient.encoded(column.getValue()))
                .collect(Collectors.joining("", "?limit=" + limit, ""));
        while (nextQuery != null && records.size() < limit) {
            JsonNode page = scheduler.get(path + nextQuery);
            page.path(member).forEach(record -> records.add((ObjectNode) record));
            nextQuery = page.path(member + "_links").path(0).path("href").textValue();
        }
        return new Page(records.subList(0, Math.min(limit, records.size())),
                nextQuery != null || records.size() > limit);
    }

    /**
     * Reads one record.
     *
     * @param nameOrUuid the uuid or name of the record; for a decision also the uuid or name of an instance, for the
     *         newest decision about the instance
     * @throws ApiFailure if there is no such record, or if several have the name
     */
    ObjectNode read(RestClient scheduler, String nameOrUuid) throws ApiFailure, InterruptedException {
        return (ObjectNode) switch (this) {
            case DECISION, INSTANCE -> scheduler.get(path + "/" + RestClient.encoded(nameOrUuid));
            case HOST, GROUP -> scheduler.get(
                    path + "/" + (nameOrUuid.matches(UUID_PATTERN) ? nameOrUuid : findUuid(scheduler, nameOrUuid)));
        };
    }

    /**
     * Finds the uuid of a host or server group by its name, which is the first column of both kinds. Needed because
     * their routes accept only uuids.
     */
    private String findUuid(RestClient scheduler, String name) throws ApiFailure, InterruptedException {
        // The limit is larger than any list, so that all records are read.
        List<String> found = list(scheduler, Map.of(), Integer.MAX_VALUE / 2).records().stream()
                .filter(record -> record.path(columns.getFirst()).asText().equals(name))
                .map(record -> record.path("uuid").asText())
                .toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new ApiFailure(found.isEmpty()
                ? "no %s is called %s".formatted(commandName(), name)
                : "several are called %s: %s".formatted(name, String.join(", ", found)));
    }
}
