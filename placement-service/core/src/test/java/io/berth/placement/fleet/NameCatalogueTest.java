package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.fleet.NameCatalogue.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the catalog of names of traits and resource classes. */
class NameCatalogueTest {
    private static final NameCatalogue TWO =
            NameCatalogue.empty().with(List.of(new Entry(1, "CUSTOM_A", 0), new Entry(2, "CUSTOM_B", 0)));

    @Test
    void keepsANameThatWasDeletedAndCreatedAgainWithinOneChange() {
        Entry gone = new Entry(1, null, 0);
        Entry again = new Entry(9, "CUSTOM_A", 0);
        for (List<Entry> changes : List.of(List.of(gone, again), List.of(again, gone))) {
            NameCatalogue now = TWO.with(changes);
            assertThat(now.find("CUSTOM_A")).as("%s", changes).isEqualTo(again);
            assertThat(now.find(1)).isNull();
            assertThat(now.find(9)).isEqualTo(again);
            assertThat(now.size()).isEqualTo(2);
            assertThat(now.renames()).isEqualTo(TWO.renames());
        }
    }

    @Test
    void swapsNamesWithinOneChange() {
        NameCatalogue now = TWO.with(List.of(new Entry(1, "CUSTOM_B", 0), new Entry(2, "CUSTOM_A", 0)));
        assertThat(now.find("CUSTOM_A").id()).isEqualTo(2);
        assertThat(now.find("CUSTOM_B").id()).isEqualTo(1);
        assertThat(now.list()).extracting(Entry::name).containsExactly("CUSTOM_B", "CUSTOM_A");
        assertThat(now.renames()).isEqualTo(TWO.renames() + 2);
    }
}
