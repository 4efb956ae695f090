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
 * Accepts only hosts in the requested zone. A host's zones are the values of the metadata key {@code availability_zone}
 * of its aggregates, each a list separated by commas; without such a value, the host's zone is the option {@code
 * default_availability_zone}. A request may name several zones, separated by commas; the host must be in one of them.
 * <br>Differs from nova: nova removed the filter in 2023, since placement is queried for the zone, and treated the
 * requested text as one zone.
 * <br>Source: nova {@code scheduler/filters/availability_zone_filter.py} of the last release that had it.
 */
@Singleton
public final class AvailabilityZoneFilter implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        String requestedZones = spec.availabilityZone();
        return requestedZones == null || requestedZones.isEmpty()
                ? HostCheck.PASS
                : HostCheck.byAggregates(host -> compare(host, requestedZones, options));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.of("availability_zone"));
    }

    private static Verdict compare(HostState host, String requestedZones, Options options) {
        Set<String> aggregateZones = AggregateMetadata.items(host, "availability_zone");
        Set<String> zones =
                aggregateZones.isEmpty() ? Set.of(options.defaults().defaultAvailabilityZone()) : aggregateZones;
        boolean inZone = requestedZones.indexOf(',') < 0
                ? zones.contains(requestedZones)
                : Arrays.stream(requestedZones.split(",")).map(String::strip).anyMatch(zones::contains);
        return inZone
                ? Verdict.PASS
                : Verdict.reject("zone", "zone %s wanted, host is in %s", AggregateMetadata.split(requestedZones),
                        zones);
    }
}
