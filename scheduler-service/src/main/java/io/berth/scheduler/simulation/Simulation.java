package io.berth.scheduler.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.config.OptionInvalid;
import io.berth.scheduler.config.OptionNames;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The body of a simulation.
 *
 * @param hosts in the order that decides between equal weights
 */
record Simulation(List<HostState> hosts, RequestSpecBody request, Options options, boolean returnAlternates) {

    /**
     * Upper bounds of one simulation.
     *
     * @param hostsMax hosts in the body
     * @param hostRoundsMax hosts times instances
     */
    record Bounds(int hostsMax, int hostRoundsMax) {}

    /**
     * Throws {@link ApiFault}: 400 with the path of what is not of the shape, 413 beyond the bounds.
     *
     * @param configured the options of the running service, for bodies that ask for them
     */
    static Simulation read(JsonNode json, Options configured, Bounds bounds, Supplier<UUID> uuids) {
        var body = new StrictObject(json, "$");
        List<StrictObject> stated = body.list("hosts", StrictObject::new);
        if (stated.size() > bounds.hostsMax()) {
            throw tooLarge("%d hosts are more than %d".formatted(stated.size(), bounds.hostsMax()));
        }
        Options options = options(body.any("options"), configured);
        boolean returnAlternates = body.flag("return_alternates", true);
        RequestSpecBody request = body.requiredObject("request_spec", spec -> RequestSpecBody.read(spec, uuids));
        body.nothingElse();
        int rounds = request.spec().instanceCount();
        if ((long) stated.size() * rounds > bounds.hostRoundsMax()) {
            throw tooLarge("%d hosts for %d instances are too many at once".formatted(stated.size(), rounds));
        }
        return new Simulation(hosts(stated), request, options, returnAlternates);
    }

    private static List<HostState> hosts(List<StrictObject> stated) {
        var hosts = new ArrayList<HostState>(stated.size());
        Set<HostName> names = new HashSet<>();
        for (StrictObject each : stated) {
            HostState host = SimulatedHost.read(each);
            if (!names.add(HostName.of(host))) {
                throw ApiFault.invalid("$.hosts[%d]: host %s and nodename %s are there twice"
                        .formatted(hosts.size(), host.host(), host.nodename()));
            }
            hosts.add(host);
        }
        return hosts;
    }

    private static Options options(JsonNode stated, Options configured) {
        if (stated == null) {
            return Options.DEFAULTS;
        }
        if (stated.isTextual() && stated.textValue().equals("configured")) {
            return configured;
        }
        if (!stated.isObject()) {
            throw ApiFault.invalid("$.options: must be an object, or the string configured");
        }
        refuseUnknown(stated);
        try {
            return Options.parse(OptionSource.ofJson(stated));
        } catch (OptionInvalid invalid) {
            String group = invalid.group().equals("filter_scheduler") ? "" : invalid.group() + ".";
            throw ApiFault.invalid("$.options.%s%s: %s".formatted(group, invalid.option(), invalid.getMessage()));
        }
    }

    private static void refuseUnknown(JsonNode stated) {
        Map<String, Set<String>> known = OptionNames.byGroup();
        for (Map.Entry<String, JsonNode> member : stated.properties()) {
            Set<String> inGroup = known.get(member.getKey());
            if (inGroup == null || member.getKey().equals("filter_scheduler")) {
                if (!known.get("filter_scheduler").contains(member.getKey())) {
                    throw ApiFault.invalid("$.options.%s: unknown option".formatted(member.getKey()));
                }
                continue;
            }
            if (!member.getValue().isObject()) {
                throw ApiFault.invalid("$.options.%s: must be an object".formatted(member.getKey()));
            }
            member.getValue().fieldNames().forEachRemaining(name -> {
                if (!inGroup.contains(name)) {
                    throw ApiFault.invalid("$.options.%s.%s: unknown option".formatted(member.getKey(), name));
                }
            });
        }
    }

    private static ApiFault tooLarge(String detail) {
        return new ApiFault(new ApiError(ErrorCode.BODY_TOO_LARGE, detail));
    }
}
