/**
 * The signals that both services emit in one form: requests by route, ids in logs, and how meters are created. Start
 * with {@link io.berth.observability.RequestMetrics}. Each package measures its own work.
 */
package io.berth.observability;
