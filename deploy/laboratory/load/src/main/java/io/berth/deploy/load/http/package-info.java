/**
 * Sends many HTTP requests over several connections, judges the responses and measures latencies.
 *
 * <p>Entry point: {@link io.berth.deploy.load.http.Driver}. The requests of a
 * {@link io.berth.deploy.load.http.Traffic} are created, and their responses judged, on one event loop, so that no
 * locks are needed. This package knows nothing of placement or scheduling, except the microversion that it sends.
 */
package io.berth.deploy.load.http;
