package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One question to Berth's Placement, and a second one where the table of trees lacks what the answer refers to. */
public final class TreeExchange {
    /** Trees asked for at once: a tree of many providers takes a hundred kilobytes, and an answer of placement is bounded. */
    static final int TREES_MAX = 250;

    private final TreeTable table;

    /** @param treeBytesMax what the trees that are kept may take at the moment */
    public TreeExchange(LongSupplier treeBytesMax) {
        this(new TreeTable(treeBytesMax));
    }

    TreeExchange(TreeTable table) {
        this.table = table;
    }

    /** What is known, for the question: {@code &after=...} or nothing. */
    public String asParameters() {
        return table.asParameters();
    }

    /**
     * @param ask POST /berth/v1/provider_trees with that body; its failure is this one's
     */
    public Uni<AllocationCandidates> resolve(References answer, Function<String, Uni<ReferencesParser.Trees>> ask) {
        Resolution resolution = new Resolution(answer, table);
        long[] lacking = resolution.lacking();
        if (lacking.length == 0) {
            return Uni.createFrom().item(resolution.candidates());
        }
        return Multi.createFrom().range(0, (lacking.length + TREES_MAX - 1) / TREES_MAX)
                .onItem().transformToUniAndConcatenate(n -> ask.apply(body(lacking, n * TREES_MAX)))
                .invoke(resolution::learn)
                .collect().last()
                .map(told -> resolution.candidates());
    }

    private static String body(long[] ids, int from) {
        return IntStream.range(from, Math.min(ids.length, from + TREES_MAX))
                .mapToObj(i -> Long.toString(ids[i]))
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    }
}
