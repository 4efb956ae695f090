package io.berth.scheduler.job;

import java.util.List;

/**
 * The number of times that a query's first candidate could be claimed on each tree, each tree by itself. Shares its
 * arrays.
 *
 * @param counts by root, in the order of {@link FleetAnswers#roots}; -1: the tree does not meet a demand that is no
 * amount
 * @param stops by root the index in {@code demands} of what stops the next one; -1: nothing does
 * @param demands resource classes; {@code groups}: each amount could be had, but not all together
 * @param single no tree had more than one candidate at any time
 * @param nested roots, by index, whose tree has several providers or may draw from a sharing one
 * @param shared sharing providers that a tree drew from, and another did or might have: then neither the counts nor the
 * stops of these trees are independent
 * @param reached sharing providers that a tree drew from, or might have; empty from a Placement that does not report
 * them
 * @param complete false: not all trees were evaluated, or not completely
 */
public record FillCounts(
        int[] counts, short[] stops, List<String> demands, boolean single, int[] nested, List<String> shared,
        List<String> reached, boolean complete) {}
