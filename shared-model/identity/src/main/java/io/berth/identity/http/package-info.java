/**
 * Helps to call other services: an HTTP client with limits ({@link io.berth.identity.http.BoundedHttp}), the settings
 * of circuit breakers ({@link io.berth.identity.http.Breaker}), and a rate limit for log lines about failures
 * ({@link io.berth.identity.http.LogThrottle}). Used by the identity strategies, and by the scheduler's clients of
 * placement and of other services.
 */
package io.berth.identity.http;
