package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code berth drain}: forecasts with {@code POST /v1/what_if} where the instances of some hosts would go if these
 * hosts were disabled and the instances moved. The subcommands of {@link DrainActionCommand} run a real drain.
 */
@Command(
        name = "drain",
        header = "where the instances of these hosts would go",
        description = {"",
            "Forecasts where the instances of these hosts would go if they were moved one after the other.",
            "Exit status 3 if a host would not be empty afterwards. Nothing is moved: `start` begins a drain, `next`"
                    + " prints its moves, `status` its progress, `stop` ends it. If a host has the name of a"
                    + " subcommand, write -- before it.",
            ""},
        subcommands = {DrainActionCommand.Start.class, DrainActionCommand.Next.class, DrainActionCommand.Status.class,
            DrainActionCommand.Stop.class})
public final class DrainCommand extends TimedAnalysisCommand {
    /** Null if the user selected no hosts, as with a subcommand. */
    @ArgGroup(multiplicity = "0..1")
    private @Nullable HostSelection hostSelection;

    /** Selects hosts by their names, or by one of the options of {@link GroupSelection}. */
    static final class HostSelection extends GroupSelection {
        @Parameters(paramLabel = "HOST", arity = "1..*", description = "names of hosts")
        private @Nullable List<String> hosts;

        ObjectNode selector() {
            return selector(hosts);
        }
    }

    /** Selects hosts by availability zone, host aggregate or trait. */
    static class GroupSelection {
        @Option(names = "--zone", paramLabel = "NAME", description = "all hosts of this availability zone")
        private @Nullable String zone;

        @Option(names = "--aggregate", paramLabel = "NAME|UUID", description = "all members of this host aggregate")
        private @Nullable String aggregate;

        @Option(names = "--trait", paramLabel = "TRAIT", description = "all hosts with a provider that has this trait")
        private @Nullable String trait;

        /**
         * Returns the host selector of a request body: an object with one member, which is hosts, zone, aggregate or
         * trait.
         *
         * @param hosts names of hosts; null to select by the option that the user gave
         */
        final ObjectNode selector(@Nullable List<String> hosts) {
            ObjectNode selector = RestClient.emptyObject();
            if (hosts != null) {
                hosts.forEach(selector.putArray("hosts")::add);
            } else if (zone != null) {
                selector.put("zone", zone);
            } else if (aggregate != null) {
                selector.put("aggregate", aggregate);
            } else {
                selector.put("trait", trait);
            }
            return selector;
        }
    }

    DrainCommand() {
        super("/v1/what_if");
    }

    @Override
    ObjectNode body() {
        if (hostSelection == null) {
            throw new IllegalArgumentException("the hosts are missing: name HOST..., --zone, --aggregate or --trait");
        }
        ObjectNode body = RestClient.emptyObject();
        body.putArray("changes").addObject().set("disable", hostSelection.selector());
        body.putObject("ask").set("drain", hostSelection.selector());
        return body;
    }
}
