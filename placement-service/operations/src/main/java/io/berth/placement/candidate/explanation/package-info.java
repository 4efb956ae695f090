/**
 * Explains why a query has its allocation candidates, or none: how many trees meet each demand, which obstacles single
 * trees have, and which demands to drop for more candidates.
 *
 * <p>Entry point: {@link io.berth.placement.candidate.explanation.Explanation}, which {@code explain} and {@code
 * candidate.scenario} use. This package defines no rule of matching: it splits a query into {@link
 * io.berth.placement.candidate.explanation.Demands}, and {@code candidate.search} and {@code fleet.Inventories}
 * evaluate the query without some of them. It uses no clock, no database, and no random numbers but those of its
 * caller.
 */
package io.berth.placement.candidate.explanation;
