/**
 * Changes of a scenario, as a body states them: {@link io.berth.scheduler.scenariochange.ChangesBody} reads them,
 * {@link io.berth.scheduler.scenariochange.ScenarioChanges} applies them to the cloud, and
 * {@link io.berth.scheduler.scenariochange.Selector} selects hosts. {@code scenario}, {@code planning} and
 * {@code drain} use this package. Must not depend on any one analysis.
 */
package io.berth.scheduler.scenariochange;
