package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.InsensitiveFilter;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Accepts only hosts in the requested zone. A host's zones are those that its aggregates state under
 * {@code availability_zone}, or {@code default_availability_zone} if they state none. A request may name several zones,
 * separated by commas; the host must be in one of them.
 * <br>Differs from nova: nova removed the filter in 2023, since placement is queried for the zone, and treated the
 * requested text as one zone.
 * <br>Source: nova {@code scheduler/filters/availability_zone_filter.py} of the last release that had it.
 */
@Singleton
public final class AvailabilityZoneFilter implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        String wanted = spec.availabilityZone();
        return wanted == null || wanted.isEmpty()
                ? HostCheck.PASS
                : HostCheck.byAggregates(host -> compare(host, wanted, options));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.of("availability_zone"));
    }

    private static Verdict compare(HostState host, String wanted, Options options) {
        Set<String> stated = AggregateMetadata.items(host, "availability_zone");
        Set<String> zones = stated.isEmpty() ? Set.of(options.defaults().defaultAvailabilityZone()) : stated;
        boolean inZone = wanted.indexOf(',') < 0
                ? zones.contains(wanted)
                : Arrays.stream(wanted.split(",")).map(String::strip).anyMatch(zones::contains);
        return inZone
                ? Verdict.PASS
                : Verdict.reject("zone", "zone %s wanted, host is in %s", AggregateMetadata.split(wanted), zones);
    }
}
