package io.berth.scheduler.numa;

import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests sets of CPUs. */
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

    /** Compares random sets, dense and sparse, with the JDK's {@link BitSet}. */
    @Test
    void equalsBitSetsForRandomMembers() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            BitSet here = someOf(random);
            BitSet there = someOf(random);
            CpuSet left = CpuSet.of(here.stream().toArray());
            CpuSet right = CpuSet.of(there.stream().toArray());
            BitSet both = (BitSet) here.clone();
            both.or(there);
            BitSet less = (BitSet) here.clone();
            less.andNot(there);
            BitSet shared = (BitSet) here.clone();
            shared.and(there);

            assertThat(left).hasToString(here.toString());
            assertThat(left.stream()).containsExactly(here.stream().boxed().toArray(Integer[]::new));
            assertThat(left.size()).isEqualTo(here.cardinality());
            assertThat(left.plus(right)).isEqualTo(CpuSet.of(both.stream().toArray()));
            assertThat(left.minus(right)).isEqualTo(CpuSet.of(less.stream().toArray()));
            assertThat(left.intersection(right)).isEqualTo(CpuSet.of(shared.stream().toArray()));
            assertThat(left.intersects(right)).isEqualTo(here.intersects(there));
            assertThat(left.containsAll(right)).isEqualTo(shared.equals(there));
            int cpu = random.nextInt(70);
            assertThat(left.contains(cpu)).isEqualTo(here.get(cpu));
            assertThat(left.next(cpu)).isEqualTo(here.nextSetBit(cpu));
        }
    }

    private static BitSet someOf(Random random) {
        BitSet some = new BitSet();
        int oneOf = 1 + random.nextInt(6);
        random.ints(random.nextInt(70), 0, 70).filter(cpu -> cpu / oneOf % 2 == 0).forEach(some::set);
        return some;
    }

    @Test
    void equalsByMembersHoweverItWasBuilt() {
        assertThat(cpus("0-100").minus(cpus("2-100"))).isEqualTo(CpuSet.of(List.of(1, 0)))
                .hasSameHashCodeAs(CpuSet.of(0, 1));
        assertThat(CpuSet.of()).isSameAs(CpuSet.EMPTY);
        assertThat(CpuSet.range(3, 3)).isEqualTo(CpuSet.EMPTY);
        assertThat(CpuSet.of(3, 1, 2, 2)).isEqualTo(CpuSet.range(1, 4));
    }

    @Test
    void refusesNumbersOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(65_536));
        assertThat(CpuSet.of(65_535).size()).isEqualTo(1);
    }
}
