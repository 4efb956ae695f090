package io.berth.scheduler.numa.fitting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the enumeration of assignments of instance cells to host cells. */
class CellAssignmentsTest {
    @Test
    void listsOrderedSelectionsLexicographically() {
        assertThat(all(3, 2, 2)).containsExactly("01", "02", "10", "12", "20", "21");
        assertThat(all(4, 3, 3)).hasSize(24).isSorted().startsWith("012", "013", "021").endsWith("320", "321");
        assertThat(all(2, 0, 0)).containsExactly("");
    }

    @Test
    void skipsSelectionsWithTheSamePrefix() {
        assertThat(all(4, 3, 1)).containsExactly("012", "102", "201", "301");
        assertThat(all(4, 3, 2)).hasSize(12).isSorted().startsWith("012", "021", "031", "102");
    }

    private static List<String> all(int total, int chosen, int prefix) {
        var assignments = new CellAssignments(total, chosen);
        var seen = new ArrayList<String>();
        do {
            var text = new StringBuilder();
            for (int index = 0; index < chosen; index++) {
                text.append(assignments.position(index));
            }
            seen.add(text.toString());
        } while (assignments.advance(prefix));
        return seen;
    }
}
