package io.berth.deploy.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the parser of heap usage in the output of {@code jcmd}. */
class ServiceMemoryTest {
    @Test
    void sumsAllGenerations() {
        assertThat(ServiceMemory.usedKb("""
                5855:
                DefNew     total 19648K, used 2176K [0x00000000fc000000, 0x00000000fd550000, 0x00000000fd550000)
                 eden space 17472K,   0% used [0x00000000fc000000, 0x00000000fc000018, 0x00000000fd110000)
                Tenured    total 43712K, used 2165K [0x00000000fd550000, 0x0000000100000000, 0x0000000100000000)
                 the  space 43712K,   4% used [0x00000000fd550000, 0x00000000fd76d610, 0x0000000100000000)
                 Metaspace       used 4100K, committed 4224K, reserved 1114112K
                """)).isEqualTo(2176 + 2165);
        assertThat(ServiceMemory.usedKb("5855: no such command")).isZero();
    }
}
