/**
 * Why a query has the candidates it has, or none: how many trees meet each demand, what keeps single trees away, and
 * without which demands there would be more.
 *
 * <p>Read {@link io.berth.placement.candidate.explanation.Explanation} first. No rule is written here: a query is cut
 * into {@link io.berth.placement.candidate.explanation.Demands}, and what is left without some of them is asked from
 * {@code candidate.search} and {@code fleet.Inventories}. Pure: no clock, no database, no randomness that is not passed
 * in.
 */
package io.berth.placement.candidate.explanation;
