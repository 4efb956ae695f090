/**
 * What the answers would be if the fleet were another: with other inventories, traits, aggregates or use, with trees more or
 * fewer; and how often a query could be claimed.
 *
 * <p>Read {@link io.berth.placement.candidate.hypothesis.WhatIf} first. No rule is written here:
 * {@link io.berth.placement.candidate.hypothesis.SupposedFleet} makes a {@link io.berth.placement.fleet.FleetView} of
 * another state of some providers, and the search, the explanation and
 * {@link io.berth.placement.candidate.search.TreeFill} answer of it as of any other.
 */
package io.berth.placement.candidate.hypothesis;
