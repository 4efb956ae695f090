package io.berth.scheduler.numa;

import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CpuSetTest {
    @Test
    void combinesWithoutChangingItsOperands() {
        CpuSet low = cpus("0-3");
        CpuSet high = cpus("2-70");
        assertThat(low.plus(high)).isEqualTo(cpus("0-70"));
        assertThat(low.minus(high)).isEqualTo(cpus("0-1"));
        assertThat(low.intersection(high)).isEqualTo(cpus("2-3"));
        assertThat(low).isEqualTo(cpus("0-3"));
        assertThat(high.size()).isEqualTo(69);
    }

    @Test
    void equalsByMembersHoweverItWasMade() {
        assertThat(cpus("0-100").minus(cpus("2-100"))).isEqualTo(CpuSet.of(List.of(1, 0)))
                .hasSameHashCodeAs(CpuSet.of(0, 1));
        assertThat(CpuSet.of()).isSameAs(CpuSet.EMPTY);
        assertThat(CpuSet.range(3, 3)).isEqualTo(CpuSet.EMPTY);
    }

    @Test
    void refusesNumbersThatNoMachineHas() {
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(65_536));
        assertThat(CpuSet.of(65_535).size()).isEqualTo(1);
    }
}
