package io.berth.scheduler.weigher;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.options;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.deploy.process.Seed;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.spi.HostWeigher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the exact raw values and multipliers of each weigher on two hosts, and the normalization. */
class WeigherTableTest {
    private static final WeigherTimes UNTIMED = (weigher, hostCount, nanos) -> {};
    private static final String U1 = "11111111-aaaa-4aaa-8aaa-111111111111";
    private static final String U2 = "22222222-aaaa-4aaa-8aaa-222222222222";

    record Row(
            String weigher, String first, String second, String request, String options, List<Double> raw,
            double multiplier) {}

    private static Row row(
            String weigher, String first, String second, String request, String options, double a, double b,
            double multiplier) {
        return new Row(weigher, first, second, request, options, List.of(a, b), multiplier);
    }

    static Stream<Row> rows() {
        String members = "members: ['" + U1 + "', '" + U2 + "']";
        String runsTwo = "instances: {'" + U1 + "': {}, '" + U2 + "': {}}";
        String alike = "instances: {'" + U1 + "': {image_properties: {os_distro: 'a', hw_boot_menu: 'yes', x: 'y'}},"
                + " '" + U2 + "': {image_properties: {os_distro: 'a'}}}";
        String image = "image: {properties: {os_distro: 'a', hw_boot_menu: true}}";
        String metrics = "metrics: [{name: 'm', value: 1}, {name: 'm', value: 3}, {name: 'n', value: 0.5}]";
        return Stream.of(
                row("BuildFailureWeigher", "failed_builds: 2", "", "", "", 2, 0, -1_000_000),
                row("CPUWeigher", "vcpus_total: 8, cpu_allocation_ratio: 1.5, vcpus_used: 2", "vcpus_used: 9", "", "",
                        10, 0, 1), row("CrossCellWeigher", "cell_uuid: 'c1'", "cell_uuid: 'c2'",
                                "requested_destination: {cell: {uuid: 'c1'}, allow_cross_cell_move: true}", "", 1, -1,
                                1_000_000),
                row("CrossCellWeigher", "cell_uuid: 'c1'", "cell_uuid: 'c2'",
                        "requested_destination: {cell: {uuid: 'c1'}}", "", 0, 0, 1_000_000),
                row("DiskWeigher", "free_disk_mb: -5", "free_disk_mb: 70", "", "disk_weight_multiplier: 2", 0, 70, 2),
                row("HypervisorVersionWeigher", "hypervisor_version: 2012000", "", "", "", 2_012_000, 0, 1),
                row("ImagePropertiesWeigher", alike, "", image, "image_props_weight_multiplier: 3", 3, 0, 3),
                row("ImagePropertiesWeigher", alike, "", image,
                        "image_props_weight_multiplier: 3, image_props_weight_setting: ['os_distro=0.5',"
                                + " 'os_distro=2.5']", 5, 0, 3),
                row("ImagePropertiesWeigher", alike, "", image, "", 0, 0, 0),
                row("IoOpsWeigher", "num_io_ops: 3", "num_io_ops: 1", "", "", 3, 1, -1),
                row("MetricsWeigher", metrics, metrics, "", "metrics: {weight_setting: ['m=2', 'n=-1', 'm=1']}", 8.5,
                        8.5, 1), row("MetricsWeigher", metrics, "", "",
                                "metrics: {weight_setting: ['m=2'], required: false, weight_multiplier: 4}", 6, -10_000,
                                4),
                row("MetricsWeigher", metrics, "", "",
                        "metrics: {weight_setting: ['m=2'], required: false, weight_multiplier: 0}", 6, 0, 0),
                row("NumInstancesWeigher", "num_instances: 3", "", "", "", 3, 0, 0),
                row("PCIWeigher", "pci_stats: {pools: [{count: 30}, {count: 20}]}",
                        "pci_stats: {pools: [{count: 500}]}", "", "", 50, 1, 1),
                row("PCIWeigher", "", "pci_stats: {pools: []}", "", "", 100, 100, 1),
                row("RAMWeigher", "free_ram_mb: 2048", "free_ram_mb: -1", "", "ram_weight_multiplier: -1.5", 2048, 0,
                        -1.5), row("ServerGroupSoftAffinityWeigher", runsTwo, "",
                                "instance_group: {policy: 'soft-affinity', " + members + "}", "", 2, 0, 1),
                row("ServerGroupSoftAffinityWeigher", runsTwo, "",
                        "instance_group: {policy: 'affinity', " + members + "}", "", 0, 0, 1),
                row("ServerGroupSoftAntiAffinityWeigher", runsTwo, "",
                        "instance_group: {policy: 'soft-anti-affinity', " + members + "}", "", -2, 0, 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void returnsExactlyTheseValues(Row row) {
        WeigherStep step = ranked(row.weigher(), row.first(), row.second(), row.request(), options(row.options()))
                .steps()
                .getFirst();

        // Adding 0 makes -0.0 the same as 0.0.
        assertThat(List.of(step.raw()[0] + 0.0, step.raw()[1] + 0.0)).isEqualTo(row.raw());
        assertThat(step.multiplier()[0]).isEqualTo(row.multiplier());
    }

    @Test
    void everyWeigherHasItsRow() throws IOException {
        Set<String> tested = rows().map(Row::weigher).collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(Path.of("engine/src/main/java/io/berth/scheduler/weigher"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> name.endsWith("Weigher") && !name.equals("OptionWeigher")))
                    .hasSize(13)
                    .allMatch(tested::contains);
        }
    }

    @Test
    void aggregatesOverrideTheMultiplierWithTheirSmallestValue() {
        String two = "aggregates: [{metadata: {%s: '3'}}, {metadata: {%s: '2.5'}}]";
        assertThat(multiplier("RAMWeigher", two.replace("%s", "ram_weight_multiplier"))).isEqualTo(2.5);
        assertThat(multiplier("MetricsWeigher", two.replace("%s", "metrics_weight_multiplier"))).isEqualTo(2.5);
        assertThat(multiplier("MetricsWeigher", two.replace("%s", "weight_multiplier"))).isEqualTo(1.0);
        assertThat(multiplier("BuildFailureWeigher", two.replace("%s", "build_failure_weight_multiplier")))
                .isEqualTo(-2.5);
        assertThat(
                multiplier(
                        "RAMWeigher",
                        "aggregates: [{metadata: {ram_weight_multiplier: '2'}}, {metadata: {ram_weight_multiplier:"
                                + " 'x'}}]"))
                .isEqualTo(1.0);
    }

    @Test
    void aMetricThatIsRequiredAndMissingFailsTheRequest() {
        Ranking ranking = Ranking.of(
                List.of(host("host: 'h1', metrics: [{name: 'm', value: 1}]"), host("host: 'h2'")),
                new EnabledWeighers(List.of(new MetricsWeigher())),
                request(""),
                options("metrics: {weight_setting: ['m=1']}"),
                UNTIMED);

        assertThat(ranking).isInstanceOfSatisfying(Ranking.Failed.class, failed -> {
            assertThat(failed.weigher()).isEqualTo("MetricsWeigher");
            assertThat(failed.host().host()).isEqualTo("h2");
        });
    }

    @Test
    void aFixedMinimumCountsEvenIfNoHostReachesIt() {
        assertThat(Normalization.normalize(new double[] {5, 10, 15, 20}, 0)).containsExactly(0.25, 0.5, 0.75, 1);
        assertThat(Normalization.normalize(new double[] {5, 5}, 0)).containsExactly(1, 1);
        assertThat(Normalization.normalize(new double[] {0, 0}, 0)).containsExactly(0, 0);
        assertThat(Normalization.normalize(new double[] {5, 10, 15, 20}, Double.NEGATIVE_INFINITY))
                .containsExactly(new double[] {0, 1 / 3.0, 2 / 3.0, 1}, within(1e-12));
        assertThat(Normalization.normalize(new double[] {7, 7}, Double.NEGATIVE_INFINITY)).containsExactly(0, 0);
    }

    @Test
    void aLoneHostIsNotWeighedAndTiesKeepTheirOrder() {
        var weighers = new EnabledWeighers(List.of(new RAMWeigher()));
        var lone =
                (Ranking.Ranked) Ranking.of(List.of(host("free_ram_mb: 9")), weighers, request(""), Options.DEFAULTS,
                        UNTIMED);
        assertThat(lone.steps()).isEmpty();
        assertThat(lone.ranked().getFirst().weight()).isZero();

        var hosts = Stream.of("a:1", "b:2", "c:1", "d:2")
                .map(each -> host("host: '%s', free_ram_mb: %s".formatted((Object[]) each.split(":"))))
                .toList();
        var ranked = (Ranking.Ranked) Ranking.of(hosts, weighers, request(""), Options.DEFAULTS, UNTIMED);
        assertThat(ranked.ranked()).extracting(each -> each.host().host()).containsExactly("b", "d", "a", "c");
        assertThat(ranked.ranked()).extracting(RankedHost::weight).containsExactly(1.0, 1.0, 0.5, 0.5);
    }

    @Test
    void normalizedWeightsStayBetweenZeroAndOne() {
        long seed = Seed.of(WeigherTableTest.class);
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            double[] raw = random.doubles(1 + random.nextInt(20), -1e9, 1e9).toArray();
            for (double value : Normalization.normalize(raw, Double.NEGATIVE_INFINITY)) {
                assertThat(value).as("seed %d", seed).isBetween(0.0, 1.0);
            }
        }
    }

    @Test
    void allWeighersAreUsedInTheOrderOfTheirNames() {
        var shipped = List.<HostWeigher>of(new RAMWeigher(), new CPUWeigher(), new DiskWeigher());

        assertThat(names(shipped, List.of("nova.scheduler.weights.all_weighers")))
                .containsExactly("CPUWeigher", "DiskWeigher", "RAMWeigher");
        assertThat(names(shipped, List.of("nova.scheduler.weights.ram.RAMWeigher", "CPUWeigher")))
                .containsExactly("RAMWeigher", "CPUWeigher");
        assertThat(EnabledWeighers.choose(shipped, List.of("Nope")))
                .isEqualTo(new EnabledWeighers.Choice.Invalid(
                        "unknown weigher 'Nope', known: CPUWeigher, DiskWeigher, RAMWeigher"));
    }

    private static List<String> names(List<HostWeigher> shipped, List<String> classes) {
        var chosen = (EnabledWeighers.Choice.Chosen) EnabledWeighers.choose(shipped, classes);
        return chosen.weighers().inOrder().stream().map(HostWeigher::name).toList();
    }

    private static double multiplier(String weigher, String aggregates) {
        return ranked(weigher, aggregates, "", "", Options.DEFAULTS).steps().getFirst().multiplier()[0];
    }

    private static Ranking.Ranked ranked(String weigher, String first, String second, String request, Options options) {
        List<HostState> hosts = new ArrayList<>(List.of(
                host("host: 'h1'" + (first.isEmpty() ? "" : ", " + first)),
                host("host: 'h2'" + (second.isEmpty() ? "" : ", " + second))));
        var enabled = new EnabledWeighers(List.of(weigher(weigher)));
        return (Ranking.Ranked) Ranking.of(hosts, enabled, request(request), options, UNTIMED);
    }

    private static HostWeigher weigher(String name) {
        try {
            return Class.forName("io.berth.scheduler.weigher." + name)
                    .asSubclass(HostWeigher.class).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }
}
