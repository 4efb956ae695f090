/**
 * Changes of a scenario, as a body states them: {@link io.berth.scheduler.change.ChangesBody} reads them,
 * {@link io.berth.scheduler.change.Changes} applies them to the cloud, and {@link io.berth.scheduler.change.Selector}
 * selects hosts. Must not depend on any one analysis.
 */
package io.berth.scheduler.change;
