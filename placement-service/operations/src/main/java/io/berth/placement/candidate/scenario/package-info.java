/**
 * Evaluates queries on scenarios: the fleet with other inventories, traits, aggregates or use, or with added or removed
 * trees. Also counts how many times a query could be claimed.
 *
 * <p>Entry point: {@link io.berth.placement.candidate.scenario.WhatIf}. This package defines no rule of matching:
 * {@link io.berth.placement.candidate.scenario.ScenarioFleet} builds a {@link io.berth.placement.fleet.FleetView}, and
 * the search, the explanation and {@link io.berth.placement.candidate.search.TreeFill} evaluate it like the present
 * fleet. No other package uses this one.
 */
package io.berth.placement.candidate.scenario;
