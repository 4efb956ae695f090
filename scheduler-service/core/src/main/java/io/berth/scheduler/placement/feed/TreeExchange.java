package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Resolves one response of Berth's Placement, with a second query if the table lacks trees that the response refers
 * to.
 */
public final class TreeExchange {
    /**
     * Maximum trees in one query: a tree of many providers takes a hundred kilobytes, and a response of placement is
     * bounded.
     */
    static final int TREES_MAX = 250;
    /** Maximum missing trees to query; if more are missing, a complete response is better. */
    static final int LACKING_MAX = 2 * TREES_MAX;

    private final TreeTable table;

    /** @param treeBytesMax how much memory the stored trees may use at the moment */
    public TreeExchange(LongSupplier treeBytesMax) {
        this(new TreeTable(treeBytesMax));
    }

    TreeExchange(TreeTable table) {
        this.table = table;
    }

    /** Returns the known positions as parameters of the query: {@code &after=...} or nothing. */
    public String asParameters() {
        return table.asParameters();
    }

    /**
     * Resolves a response, with a query for the trees that are missing.
     *
     * @param ask sends POST /berth/v1/provider_trees with that body; its failure becomes the result's failure
     */
    public Uni<AllocationCandidates> resolve(References answer, Function<String, Uni<ReferencesParser.Trees>> ask) {
        Resolution resolution = Resolution.of(answer, table);
        return ask(resolution.lacking(), ask, resolution::learn).map(asked -> resolution.candidates());
    }

    private static Uni<Void> ask(
            long[] ids, Function<String, Uni<ReferencesParser.Trees>> ask, Consumer<ReferencesParser.Trees> learning) {
        return ids.length == 0
                ? Uni.createFrom().voidItem()
                : Multi.createFrom().range(0, (ids.length + TREES_MAX - 1) / TREES_MAX)
                        .onItem().transformToUniAndConcatenate(n -> ask.apply(body(ids, n * TREES_MAX)))
                        .invoke(learning)
                        .collect().last()
                        .replaceWithVoid();
    }

    /** See {@link KnownTrees#positions}. */
    public List<String> positions() {
        return table.positions();
    }

    /** See {@link KnownTrees#learn}. */
    public void learn(ReferencesParser.Trees changed) {
        table.answer();
        changed.trees().forEach(tree -> table.learn(tree, changed.moment()));
        table.seen(changed.moment());
    }

    /** See {@link KnownTrees#find}. */
    public @Nullable AllocationCandidates find(References answer) {
        Resolution resolution = Resolution.ofSupposed(answer, table);
        return resolution.lacking().length == 0 ? resolution.candidates() : null;
    }

    /** See {@link KnownTrees#askForLacking}; the failures of {@code ask} are passed on. */
    public Uni<Void> askForLacking(References answer, Function<String, Uni<ReferencesParser.Trees>> ask) {
        long[] lacking = Resolution.ofSupposed(answer, table).lacking();
        return ask(lacking.length > LACKING_MAX ? new long[0] : lacking, ask,
                received -> received.trees().forEach(tree -> table.learn(tree, received.moment())));
    }

    private static String body(long[] ids, int from) {
        return IntStream.range(from, Math.min(ids.length, from + TREES_MAX))
                .mapToObj(i -> Long.toString(ids[i]))
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    }
}
