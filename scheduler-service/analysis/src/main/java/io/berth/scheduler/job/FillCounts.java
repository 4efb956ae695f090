package io.berth.scheduler.job;

import java.util.List;

/**
 * How often the first candidate of a query could be claimed on each provider tree, independently of the other trees.
 * The arrays are not copied.
 *
 * @param counts one element per tree, in the order of {@link FleetResults#roots}; -1: the tree does not satisfy a
 * demand that is not an amount
 * @param stops one element per tree: the index in {@code demands} of the demand that prevents a further claim; -1: no
 * demand does
 * @param demands resource classes; {@code groups}: each amount is available, but not all request groups together
 * @param single whether no tree ever had more than one candidate
 * @param nested indexes of the trees that have several providers or may use a sharing provider
 * @param shared uuids of sharing providers that one tree used, and another tree used or might have used; the counts and
 * stops of these trees are then not independent
 * @param reached uuids of sharing providers that a tree used or might have used; empty if placement does not report
 * them
 * @param complete false: some trees were not evaluated, or not completely
 */
public record FillCounts(
        int[] counts, short[] stops, List<String> demands, boolean single, int[] nested, List<String> shared,
        List<String> reached, boolean complete) {}
