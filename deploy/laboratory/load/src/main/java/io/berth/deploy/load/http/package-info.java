/**
 * Sends many HTTP requests over several connections, judges the responses and measures latencies.
 *
 * <p>Entry point: {@link io.berth.deploy.load.http.Driver}. A {@link io.berth.deploy.load.http.Traffic} creates its
 * requests, and judges the responses, on one event loop, so that it needs no locks. Knows nothing of placement or
 * scheduling.
 */
package io.berth.deploy.load.http;
