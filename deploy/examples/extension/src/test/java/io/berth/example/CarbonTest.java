package io.berth.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the filter and the weigher of the example extension. */
class CarbonTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "below the limit passes             | 50   | 100  | -",
        "at the limit passes                | 100  | 100  | -",
        "above the limit is out             | 101  | 100  | emits 101 g/kWh, flavor allows 100",
        "no figure is out                   | -    | 100  | no aggregate of the host states carbon_grams_per_kwh,"
                + " or one states no number",
        "no limit, no question              | 1000 | -    | -"})
    void comparesTheHostsPowerWithTheFlavorsLimit(String name, String grams, String limit, String reason) {
        Verdict verdict = new CarbonLimitFilter().check(host(grams), request(limit), Options.DEFAULTS);
        assertThat(verdict instanceof Verdict.Reject(var why) ? why.render() : null).isEqualTo(reason);
    }

    /** The host passes with the proposed limit, so an explanation can report it. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"101, 101", "100.5, 101", "-, -"})
    void proposesALimitThatTheHostMeets(String grams, String proposed) {
        var filter = new CarbonLimitFilter();
        var rejected = (Verdict.Reject) filter.check(host(grams), request("100"), Options.DEFAULTS);
        RequestMember limit = RequestMember.extraSpec("carbon:max_grams_per_kwh");
        Remedy none = new Remedy.Omit(List.of(limit));

        List<Remedy> remedies = filter.remedies(host(grams), request("100"), rejected.reason());

        assertThat(remedies)
                .isEqualTo(proposed == null ? List.of(none) : List.of(new Remedy.Replace(limit, proposed), none));
        assertThat(filter.check(host(grams), request(proposed), Options.DEFAULTS)).isEqualTo(Verdict.PASS);
    }

    @Test
    void failsTheRequestIfTheLimitIsNotANumber() {
        assertThat(new CarbonLimitFilter().check(host("50"), request("low"), Options.DEFAULTS))
                .isEqualTo(new Verdict.Failed("extra spec carbon:max_grams_per_kwh: 'low' is no number"));
    }

    @Test
    void weighsCleanerPowerHigherAndAMissingFigureLowest() {
        var weigher = new CarbonWeigher();
        assertThat(weigher.raw(host("20"), request(null), Options.DEFAULTS)).isEqualTo(-20);
        assertThat(weigher.raw(host(null), request(null), Options.DEFAULTS)).isEqualTo(-1_200);
        assertThat(weigher.multiplier(host("20").aggregates(), Options.DEFAULTS)).isEqualTo(10);
    }

    private static HostState host(String grams) {
        HostState.Builder host = HostState.named("h1");
        return grams == null
                ? host.build()
                : host.aggregates(List.of(new HostAggregate(1L, null, "feed", Map.of(Carbon.METADATA_KEY, grams))))
                        .build();
    }

    private static RequestSpec request(String limit) {
        Map<String, String> extraSpecs = limit == null ? Map.of() : Map.of("carbon:max_grams_per_kwh", limit);
        return RequestSpec.of(new Flavor(1L, "small", null, 1, 512, 0, 0, 0, extraSpecs)).build();
    }
}
