package io.berth.scheduler.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.AllHostsFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how an operator's own classes are named beside Berth's: in full, as nova names them. */
class ChosenClassesTest {
    private static final String ALL = "nova.scheduler.filters.all_filters";
    private static final String OWN = "io.berth.scheduler.extension.ChosenClassesTest$OwnFilter";
    private static final String OWN_WEIGHER = "io.berth.scheduler.extension.ChosenClassesTest$RAMWeigher";

    static final class OwnFilter implements HostFilter {
        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.PASS;
        }
    }

    /** Has the name of one of Berth's weighers. */
    static final class RAMWeigher implements HostWeigher {
        @Override
        public String aggregateKey() {
            return "own";
        }

        @Override
        public double configuredMultiplier(Options options) {
            return 1;
        }

        @Override
        public double raw(HostState host, RequestSpec spec, Options options) {
            return 0;
        }
    }

    private static final class Impostor implements HostFilter {
        @Override
        public String name() {
            return "AllHostsFilter";
        }

        @Override
        public Verdict check(HostState host, RequestSpec spec, Options options) {
            return Verdict.PASS;
        }
    }

    @Test
    void usesAnOwnFilterIfItIsAvailableAndEnabled() {
        var chosen = (EnabledFilters.Choice.Chosen) filters(List.of(ALL, OWN), "AllHostsFilter", "OwnFilter");
        assertThat(chosen.filters().inOrder()).extracting(HostFilter::name)
                .containsExactly("AllHostsFilter", "OwnFilter");
    }

    @Test
    void allFiltersIncludesOnlyBerthsFilters() {
        assertThat(filters(List.of(ALL), "OwnFilter")).isEqualTo(new EnabledFilters.Choice.Invalid(
                "filter 'OwnFilter' is not available: add " + OWN + " to available_filters"));
        assertThat(filters(List.of(ALL), "Other"))
                .isEqualTo(new EnabledFilters.Choice.Invalid("unknown filter 'Other', known: AllHostsFilter"));
    }

    @Test
    void refusesANameThatTwoClassesHave() {
        List<String> available = List.of(ALL, Impostor.class.getName());
        assertThat(
                EnabledFilters.choose(
                        List.of(new AllHostsFilter(), new Impostor()), available, List.of("AllHostsFilter")))
                .isEqualTo(new EnabledFilters.Choice.Invalid(
                        "filter 'AllHostsFilter' is ambiguous: available_filters has "
                                + AllHostsFilter.class.getName() + " and " + Impostor.class.getName()));
    }

    @Test
    void distinguishesAnOwnWeigherByItsFullName() {
        List<HostWeigher> built = List.of(new io.berth.scheduler.weigher.RAMWeigher(), new RAMWeigher());
        assertThat(weighers(built, "nova.scheduler.weights.all_weighers", OWN_WEIGHER))
                .containsExactly(built.get(0), built.get(1));
        assertThat(weighers(built, "nova.scheduler.weights.ram.RAMWeigher")).containsExactly(built.getFirst());
        assertThat(EnabledWeighers.choose(built, List.of("Nope"))).isEqualTo(new EnabledWeighers.Choice.Invalid(
                "unknown weigher 'Nope', known: RAMWeigher, " + OWN_WEIGHER));
    }

    private static EnabledFilters.Choice filters(List<String> available, String... enabled) {
        return EnabledFilters.choose(List.of(new AllHostsFilter(), new OwnFilter()), available, List.of(enabled));
    }

    private static List<HostWeigher> weighers(List<HostWeigher> built, String... classes) {
        var chosen = (EnabledWeighers.Choice.Chosen) EnabledWeighers.choose(built, List.of(classes));
        return chosen.weighers().inOrder();
    }
}
