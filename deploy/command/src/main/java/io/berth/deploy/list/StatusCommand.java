package io.berth.deploy.list;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.text.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Runs {@code berth status}: shows the replica of the scheduler that responded, and the replica of placement that it
 * queried, from the scheduler's {@code GET /v1/replica}. If placement does not respond or is not Berth's, shows which
 * of the two instead of a replica.
 */
@Command(name = "status", header = "which replicas of the services respond",
        footer = {"",
            "Exit status: 0 both services respond; 1 the scheduler does not, or it failed; 3 placement does not, or it"
                    + " is not Berth's."})
public final class StatusCommand implements Callable<Integer> {
    /** Exit status: the scheduler knows no replica of placement. */
    private static final int EXIT_NO_PLACEMENT = 3;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Mixin
    private Listing listing;

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        JsonNode response = cloud.client(Service.SCHEDULER).get("/v1/replica");
        JsonNode placementTrouble = response.path("placement_trouble");
        List<ObjectNode> services = new ArrayList<>();
        for (String service : List.of("scheduler", "placement")) {
            ObjectNode row = RestClient.emptyObject().put("service", service);
            row.put("state", service.equals("placement") && placementTrouble.isTextual()
                    ? placementTrouble.asText()
                    : "responds");
            response.path(service).properties().forEach(member -> row.set(member.getKey(), member.getValue()));
            services.add(row);
        }
        listing.print(services, List.of("service", "name", "version", "started_at", "state"),
                spec.commandLine().getOut());
        return placementTrouble.isTextual() ? EXIT_NO_PLACEMENT : CommandLine.ExitCode.OK;
    }
}
