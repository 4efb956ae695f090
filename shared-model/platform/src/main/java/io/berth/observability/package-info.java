/**
 * Metrics and log fields that both services have in common: requests by route ({@link
 * io.berth.observability.RequestMetrics}), request ids in log lines ({@link io.berth.observability.LoggedRequest}), a
 * limit for repeated log lines ({@link io.berth.observability.CountingLogThrottle}), timers with common buckets ({@link
 * io.berth.observability.Latency}), the version of a service ({@code BuildInfo}), and the identity of a replica ({@link
 * io.berth.observability.Replica}). Metrics of a particular package are in that package.
 */
package io.berth.observability;
