package io.berth.deploy.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.load.mark.MarkTable;
import org.junit.jupiter.api.Test;

class MarksTest {
    @Test
    void tenCandidatesAreHeldAgainstQuarkusRestAndNotAgainstBareVertx() {
        assertThat(MarkTable.text(Marks.tenCandidates(16_120, 9_000, 31_000, 60_861)))
                .isEqualTo("mark: holds        10 candidates of 5,000 hosts, 32 connections: 0.52 (at least 0.50); "
                        + "constant body of that size: 31,000/s (bare Vert.x 60,861/s), "
                        + "16,120/s (9,000/s of 20,000 flavors in turns)");
    }
}
