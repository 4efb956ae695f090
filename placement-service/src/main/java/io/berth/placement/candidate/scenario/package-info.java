/**
 * Scenarios: evaluates queries as if the fleet had other inventories, traits, aggregates or use, or more or fewer
 * trees. Also counts how often a query could be claimed.
 *
 * <p>Read {@link io.berth.placement.candidate.scenario.WhatIf} first. No rule is defined here: {@link
 * io.berth.placement.candidate.scenario.ScenarioFleet} builds a {@link io.berth.placement.fleet.FleetView} in which
 * some providers have another state, and the search, the explanation and {@link
 * io.berth.placement.candidate.search.TreeFill} evaluate it like any other.
 */
package io.berth.placement.candidate.scenario;
