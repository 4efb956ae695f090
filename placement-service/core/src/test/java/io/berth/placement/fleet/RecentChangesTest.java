package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests the list of recently changed provider trees of a fleet view. */
class RecentChangesTest {
    private static FleetView hosts(int count) {
        List<Provider> all = new ArrayList<>();
        for (long id = 1; id <= count; id++) {
            all.add(host(id));
        }
        return FleetView.empty().with(all, List.of(), List.of(), List.of());
    }

    private static Provider host(long id) {
        return provider(id, 0, id);
    }

    private static Provider provider(long id, long parent, long root) {
        return new Provider(
                id, new UUID(1, id), "p" + id, 0, parent, root, 0, Inventories.NONE, new int[0], new UUID[0]);
    }

    private static FleetView change(FleetView view, long... ids) {
        return view.with(LongStream.of(ids).mapToObj(RecentChangesTest::host).toList(), List.of(), List.of(),
                List.of());
    }

    private static List<Long> changedAfter(FleetView view, long version) {
        return view.changedAfter(version).stream().map(changed -> changed.tree().root().id()).toList();
    }

    @Test
    void returnsEachTreeChangedSinceAVersionOnceInOrder() {
        FleetView begun = hosts(5);
        FleetView view = change(change(change(begun, 1), 2), 1);
        assertThat(changedAfter(view, begun.version())).containsExactly(2L, 1L);
        assertThat(changedAfter(view, view.version() - 1)).containsExactly(1L);
        assertThat(changedAfter(view, view.version())).isEmpty();
        assertThat(changedAfter(view, view.version() + 7)).isEmpty();
        assertThat(view.changedAfter(begun.version()).getLast().tree()).isSameAs(view.treeOfRoot(1));
        assertThat(view.lineage()).isEqualTo(begun.lineage()).isNotEqualTo(hosts(5).lineage()).matches("[0-9a-z]+");
    }

    @Test
    void keepsOnlyTheLatestChanges() {
        FleetView begun = hosts(1_000);
        FleetView view = begun;
        for (long id = 1; id <= 300; id++) {
            view = change(view, id);
        }
        assertThat(changedAfter(view, begun.version()))
                .containsExactlyElementsOf(LongStream.rangeClosed(45, 300).boxed().toList());
        FleetView many = change(view, LongStream.rangeClosed(400, 900).toArray());
        assertThat(changedAfter(many, begun.version())).hasSize(256).allMatch(id -> id >= 400);
    }

    @Test
    void skipsTreesThatWereDeletedMovedOrAreTooLarge() {
        FleetView begun = hosts(5);
        FleetView view = change(begun, 1, 2, 3);
        assertThat(changedAfter(view.with(List.of(), List.of(2L), List.of(), List.of()), begun.version()))
                .containsExactlyInAnyOrder(1L, 3L);
        FleetView joined = view.with(List.of(provider(2, 1, 1)), List.of(), List.of(), List.of());
        assertThat(changedAfter(joined, begun.version())).containsExactly(3L, 1L);
        assertThat(joined.treeOfRoot(2)).isNull();
        List<Provider> children = new ArrayList<>();
        for (long id = 10; id < 10 + RecentChanges.PROVIDERS_MAX; id++) {
            children.add(provider(id, 3, 3));
        }
        assertThat(changedAfter(view.with(children, List.of(), List.of(), List.of()), begun.version()))
                .containsExactlyInAnyOrder(1L, 2L);
    }
}
