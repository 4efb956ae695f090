package io.berth.scheduler.job;

import java.util.List;

/**
 * Placement's result for a {@link FleetQuery.Fill}: how often the first candidate of a query could be claimed on each
 * provider tree, as if no other tree changed. The arrays are not copied.
 *
 * @param counts number of claims, one element per tree, in the order of {@link FleetResults#roots}; -1: the tree does
 * not satisfy a demand that is not an amount, such as a trait, has no inventory of a requested class, or was not
 * evaluated
 * @param stops one element per tree: the index in {@code demands} of the demand that prevents a further claim; -1: no
 * demand prevents it, the demand is unknown, or the tree was not evaluated
 * @param demands the names to which {@code stops} refers: resource classes, and {@code groups}, which means that each
 * amount is available, but not all request groups together
 * @param single whether every tree had at most one candidate at any time
 * @param nested indexes of the trees that have several providers or may use a sharing provider
 * @param shared uuids of sharing providers for which trees compete: one tree used the provider, and another used it or
 * might have used it. If there are any, the counts and stops of these trees are not independent
 * @param reached uuids of sharing providers that a tree used or might have used; empty if placement does not report
 * them
 * @param complete whether all trees were evaluated completely
 */
public record FillCounts(
        int[] counts, short[] stops, List<String> demands, boolean single, int[] nested, List<String> shared,
        List<String> reached, boolean complete) {}
