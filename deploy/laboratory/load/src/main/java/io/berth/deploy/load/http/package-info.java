/**
 * HTTP requests in number: how they are sent, judged and timed.
 *
 * <p>Start with {@link io.berth.deploy.load.http.Driver}. Everything between {@code next} of a
 * {@link io.berth.deploy.load.http.Traffic} and the judgement of its answers happens on one event loop, so neither
 * needs locks. Knows nothing of placement or scheduling.
 */
package io.berth.deploy.load.http;
