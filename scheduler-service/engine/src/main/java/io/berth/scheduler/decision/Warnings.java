package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.AggregateInstanceExtraSpecsFilter;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostMembers;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestWarnings;
import io.berth.scheduler.spi.HostFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the parts of a request that have no effect, or may have none. Decisions, decision records and analyses contain
 * the warnings.
 */
public final class Warnings {
    /** The names of the statistics that nova's compute nodes report. */
    private static final Pattern STATISTIC = Pattern.compile("num_\\w+|io_workload|failed_builds");

    private Warnings() {}

    /** Returns the warnings; usually an empty list. */
    public static List<String> of(RequestSpec spec, EnabledFilters filters, Options options) {
        List<String> ofFlavorAndImage =
                RequestWarnings.of(spec, key -> filters.inOrder().stream().anyMatch(filter -> mayRead(filter, key)));
        if (!namesUnenforcedDefaultZone(spec, filters, options)) {
            return ofFlavorAndImage;
        }
        List<String> warnings = new ArrayList<>(ofFlavorAndImage);
        warnings.add("availability_zone " + spec.availabilityZone()
                + " is the zone of hosts without a zone; it excludes hosts only if an aggregate has this zone");
        return warnings;
    }

    /**
     * Returns whether the request names the default availability zone and AvailabilityZoneFilter is not enabled. The
     * zone then only excludes hosts if an aggregate has this zone, because the query to placement restricts the hosts
     * to such aggregates; without such an aggregate, the query is for all hosts.
     */
    private static boolean namesUnenforcedDefaultZone(RequestSpec spec, EnabledFilters filters, Options options) {
        return options.defaults().defaultAvailabilityZone().equals(spec.availabilityZone())
                && filters.inOrder().stream().noneMatch(filter -> filter.name().equals("AvailabilityZoneFilter"));
    }

    /**
     * Returns whether the filter may read the extra spec with this key. Assumes that a filter of an extension may read
     * any extra spec.
     */
    private static boolean mayRead(HostFilter filter, String key) {
        return switch (filter) {
            case AggregateInstanceExtraSpecsFilter _ -> true;
            case ComputeCapabilitiesFilter _ -> HostMembers.isMember(key) || STATISTIC.matcher(key).matches();
            default -> !EnabledFilters.isShipped(filter);
        };
    }
}
