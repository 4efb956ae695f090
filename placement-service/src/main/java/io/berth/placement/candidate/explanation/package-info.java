/**
 * Explains why a query has the candidates it has, or none: how many trees meet each demand, what excludes single trees,
 * and which demands to drop for more candidates.
 *
 * <p>Read {@link io.berth.placement.candidate.explanation.Explanation} first. No rule is defined here: a query is split
 * into {@link io.berth.placement.candidate.explanation.Demands}, and {@code candidate.search} and {@code
 * fleet.Inventories} evaluate what remains without some of them. Pure: no clock, no database, no randomness that is not
 * passed in.
 */
package io.berth.placement.candidate.explanation;
