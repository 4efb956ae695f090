/**
 * The protocol all scheduler routes share: request ids, the token check, and one error body for everything that
 * is not a success. Entry points: {@link io.berth.scheduler.http.FrontDoor} for requests,
 * {@link io.berth.scheduler.http.ApiFault} for whoever has to refuse one. Knows nothing of hosts or placement.
 */
package io.berth.scheduler.http;
