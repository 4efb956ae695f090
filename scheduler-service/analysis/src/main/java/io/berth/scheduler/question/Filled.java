package io.berth.scheduler.question;

import java.util.List;

/**
 * How often a query's first candidate could be claimed on each tree, each tree by itself. Shares its arrays.
 *
 * @param counts by root, in the order of {@link FleetAnswers#roots}; -1: the tree does not meet all that is no amount
 * @param stops by root the index in {@code demands} of what stops the next one; -1: nothing does
 * @param demands resource classes; {@code groups}: each amount could be had, but not all together
 * @param single no tree had more than one candidate at any time
 * @param nested roots, by index, whose tree has several providers or may draw from a sharing one
 * @param shared sharing providers that a tree drew from, and another did or might have: neither what these count nor what
 *     stops them is independent then
 * @param reached sharing providers that a tree drew from, or might have; empty from a Placement that tells nothing of it
 * @param complete false: not all trees were looked at, or not to the end
 */
public record Filled(
        int[] counts, short[] stops, List<String> demands, boolean single, int[] nested, List<String> shared,
        List<String> reached, boolean complete) {}
