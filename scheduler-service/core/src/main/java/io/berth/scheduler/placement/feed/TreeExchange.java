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

/** Converts responses of Berth's Placement to candidates, with a second query for trees that the table lacks. */
public final class TreeExchange {
    /**
     * Maximum trees that one query names; more trees need several queries, which are sent one after the other. A tree
     * with many providers has a hundred kilobytes, and the size of a response is limited.
     */
    static final int TREES_MAX = 250;
    /**
     * Maximum missing trees that {@link #askForLacking} queries. If more are missing, it queries none, because a
     * response with complete trees, which the caller requests then, costs less.
     */
    static final int LACKING_MAX = 2 * TREES_MAX;

    private final TreeTable table;

    /** @param treeBytesMax returns the present limit for the stored trees, in bytes */
    public TreeExchange(LongSupplier treeBytesMax) {
        this(new TreeTable(treeBytesMax));
    }

    TreeExchange(TreeTable table) {
        this.table = table;
    }

    /** Returns {@link #positions} as query parameters: {@code &after=...} for each, or an empty string. */
    public String positionsAsParameters() {
        return table.positionsAsParameters();
    }

    /**
     * Resolves a response, and queries the missing trees.
     *
     * @param ask sends POST /berth/v1/provider_trees with the given body; a failure is passed on
     */
    public Uni<AllocationCandidates> resolve(References answer, Function<String, Uni<ReferencesParser.Trees>> ask) {
        Resolution resolution = Resolution.of(answer, table);
        return ask(resolution.lacking(), ask, resolution::learn).map(ignored -> resolution.candidates());
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
        table.countResponse();
        changed.trees().forEach(tree -> table.learn(tree, changed.fleetPosition()));
        table.receivedUpTo(changed.fleetPosition());
    }

    /** See {@link KnownTrees#find}. */
    public @Nullable AllocationCandidates find(References answer) {
        Resolution resolution = Resolution.ofScenario(answer, table);
        return resolution.lacking().length == 0 ? resolution.candidates() : null;
    }

    /** Does the work of {@link KnownTrees#askForLacking}, but passes the failures of {@code ask} on. */
    public Uni<Void> askForLacking(References answer, Function<String, Uni<ReferencesParser.Trees>> ask) {
        long[] lacking = Resolution.ofScenario(answer, table).lacking();
        return ask(lacking.length > LACKING_MAX ? new long[0] : lacking, ask,
                received -> received.trees().forEach(tree -> table.learn(tree, received.fleetPosition())));
    }

    /** Returns the body of the query for up to {@value #TREES_MAX} of the ids, from the index {@code from} on. */
    private static String body(long[] ids, int from) {
        return IntStream.range(from, Math.min(ids.length, from + TREES_MAX))
                .mapToObj(i -> Long.toString(ids[i]))
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    }
}
