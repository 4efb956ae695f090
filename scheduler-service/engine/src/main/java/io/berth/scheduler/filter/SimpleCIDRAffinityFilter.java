package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts only hosts whose address is in the network that the hints state: {@code build_near_host_ip} (an address)
 * followed by {@code cidr} (a slash and the prefix length; default {@code /24}). Without {@code build_near_host_ip},
 * every host passes. The request fails if the hints do not form a network, or if a host has no IP address.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class SimpleCIDRAffinityFilter implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.schedulerHints().isEmpty("build_near_host_ip") ? HostCheck.PASS : host -> compare(host, spec);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.hint("build_near_host_ip"));
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        String address = spec.schedulerHints().single("build_near_host_ip");
        String cidr = spec.schedulerHints().has("cidr") ? spec.schedulerHints().single("cidr") : "/24";
        if (address == null || cidr == null) {
            return new Verdict.Failed("the hints build_near_host_ip and cidr must have one value each");
        }
        IpNetwork network = IpNetwork.parse(address + cidr);
        if (network == null) {
            return new Verdict.Failed(
                    "the hints build_near_host_ip and cidr must form a network such as 192.0.2.7/24, not '%s%s'"
                            .formatted(address, cidr));
        }
        String hostIp = host.hostIp();
        byte[] hostAddress = hostIp == null ? null : IpNetwork.address(hostIp);
        if (hostIp == null || hostAddress == null) {
            return new Verdict.Failed("the host_ip of the host must be an IP address: %s".formatted(hostIp));
        }
        return network.contains(hostAddress)
                ? Verdict.PASS
                : Verdict.reject("network", "host address %2$s is outside of %1$s", address + cidr, hostIp);
    }
}
