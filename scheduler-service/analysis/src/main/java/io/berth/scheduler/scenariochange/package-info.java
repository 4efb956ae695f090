/**
 * The changes of a scenario (a cloud with changes that are not made):
 * {@link io.berth.scheduler.scenariochange.ChangesBody} reads the changes from a body,
 * {@link io.berth.scheduler.scenariochange.ScenarioChanges} applies the changes to the cloud, and
 * {@link io.berth.scheduler.scenariochange.Selector} selects hosts. {@code scenario}, {@code planning} and
 * {@code drain} use this package. Must not depend on any one analysis.
 */
package io.berth.scheduler.scenariochange;
