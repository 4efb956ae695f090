/**
 * The protocol that all scheduler routes share: request ids, the token check, and one error body for every error.
 * Entry points: {@link io.berth.scheduler.http.FrontDoor} for requests, {@link io.berth.scheduler.http.ApiFault} for
 * code that refuses one. This package knows nothing of hosts or placement.
 */
package io.berth.scheduler.http;
