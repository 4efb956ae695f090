/**
 * What both services tell of themselves, in one form: requests by route, ids in logs, and how meters are made. Start
 * with {@link io.berth.observability.RequestMetrics}. What is measured inside a service is measured in the package that
 * does it.
 */
package io.berth.observability;
