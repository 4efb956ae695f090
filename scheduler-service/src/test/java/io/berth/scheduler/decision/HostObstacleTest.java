package io.berth.scheduler.decision;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests the remedies that are proposed for a host's obstacles. */
class HostObstacleTest {
    private static final String INSTANCE = "11111111-aaaa-4aaa-8aaa-111111111111";

    private static Map<String, List<Remedy>> remedies(String host, String request, HostFilter... filters) {
        var inputs = new SchedulingInputs(
                Options.DEFAULTS, new EnabledFilters(List.of(filters)), new EnabledWeighers(List.of()), new Random(1),
                SchedulingInputs.Detail.COUNTS);
        return HostObstacle.of(host(host), request(request), inputs).stream()
                .collect(Collectors.toMap(HostObstacle::by, HostObstacle::remedies));
    }

    @Test
    void returnsTheRemediesThatAnExtensionFilterProposes() {
        assertThat(remedies("", "", new OperatorsFilter()))
                .isEqualTo(Map.of("OperatorsFilter", List.of(new Remedy.SetMetadata("power", "low of h1"))));
    }

    @Test
    void proposesToOmitTheRestrictionThatExcludesTheHost() {
        String restricted = "requested_destination: {host: 'h2'}, ignore_hosts: ['h1'], force_hosts: ['h2'],"
                + " force_nodes: ['n2']";
        assertThat(remedies("", restricted)).isEqualTo(Map.of(
                "requested_destination", Remedy.omitOneOf(RequestMember.of("requested_destination")),
                "ignore_hosts", Remedy.omitOneOf(RequestMember.of("ignore_hosts")),
                "force_hosts", Remedy.omitOneOf(RequestMember.of("force_hosts")),
                "force_nodes", Remedy.omitOneOf(RequestMember.of("force_nodes"))));
    }

    @Test
    void proposesNoRemedyForTheSourceOfAMove() {
        assertThat(remedies(
                "instances: {'" + INSTANCE + "': {}}",
                "instance_uuid: '" + INSTANCE + "', ignore_hosts: ['h1']"))
                .isEqualTo(Map.of("ignore_hosts", List.of()));
    }

    private static final class OperatorsFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.reject("power", "host uses much power", "low", "high");
        }

        @Override
        public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
            return List.of(new Remedy.SetMetadata(reason.code(), reason.wanted() + " of " + host.host()));
        }
    }
}
