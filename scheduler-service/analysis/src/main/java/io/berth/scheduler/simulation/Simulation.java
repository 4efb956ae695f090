package io.berth.scheduler.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.OptionsBody;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The parsed body of {@code POST /v1/simulations}.
 *
 * @param hosts the hosts; their order decides between equal weights, unless the options choose at random. Null: the
 *     hosts of the cloud
 * @param returnAlternates whether the decision has alternates, too
 * @param deadline time limit for the queries to placement if {@code hosts} is null
 */
record Simulation(
        @Nullable List<HostState> hosts, RequestSpecBody request, Options options, boolean returnAlternates,
        Deadline deadline) {

    /**
     * Upper bounds of one simulation.
     *
     * @param hostsMax number of hosts
     * @param hostRoundsMax number of hosts times number of instances
     */
    record Bounds(int hostsMax, int hostRoundsMax) {
        /** Throws ApiFault (413) if the numbers exceed a bound. */
        void check(int hosts, int instances) {
            if (hosts > hostsMax) {
                throw tooLarge("%d hosts: at most %d are allowed".formatted(hosts, hostsMax));
            }
            if ((long) hosts * instances > hostRoundsMax) {
                throw tooLarge("%d hosts times %d instances exceed %d: send fewer at a time"
                        .formatted(hosts, instances, hostRoundsMax));
            }
        }

        private static ApiFault tooLarge(String detail) {
            return new ApiFault(new ApiError(ErrorCode.BODY_TOO_LARGE, detail));
        }
    }

    /**
     * Reads and validates the body. Throws {@link ApiFault}: 400 with the path of an invalid member, 413 if the body
     * has {@code hosts} beyond the bounds.
     *
     * @param configured the options of the running service, which apply if the member {@code options} is the string
     *     {@code configured}, or if the body has neither {@code hosts} nor {@code options}. A body with {@code hosts}
     *     and without {@code options} gets nova's defaults
     * @param uuids creates the uuids of instances that the body does not name
     */
    static Simulation read(JsonNode json, Options configured, Bounds bounds, Supplier<UUID> uuids) {
        var body = new StrictObject(json, "$");
        List<StrictObject> hostBodies = body.anyValue("hosts") == null ? null : body.list("hosts", StrictObject::new);
        Options options =
                OptionsBody.read(body.anyValue("options"), hostBodies == null ? configured : Options.DEFAULTS,
                        configured);
        boolean returnAlternates = body.flag("return_alternates", true);
        RequestSpecBody request = body.requiredObject("request_spec", spec -> RequestSpecBody.read(spec, uuids));
        Deadline deadline = Deadline.of(body);
        body.refuseUnreadMembers();
        if (hostBodies != null) {
            bounds.check(hostBodies.size(), request.spec().instanceCount());
        }
        return new Simulation(
                hostBodies == null ? null : hosts(hostBodies), request, options, returnAlternates, deadline);
    }

    private static List<HostState> hosts(List<StrictObject> hostBodies) {
        var hosts = new ArrayList<HostState>(hostBodies.size());
        Set<HostName> names = new HashSet<>();
        for (StrictObject each : hostBodies) {
            HostState host = SimulatedHost.read(each);
            if (!names.add(HostName.of(host))) {
                throw ApiFault.invalid("$.hosts[%d]: host %s with nodename %s exists already: each must be unique"
                        .formatted(hosts.size(), host.host(), host.nodename()));
            }
            hosts.add(host);
        }
        return hosts;
    }
}
