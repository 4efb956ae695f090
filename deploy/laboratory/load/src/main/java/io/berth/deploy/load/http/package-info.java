/**
 * Sends many HTTP requests over several connections, judges the responses and measures latencies.
 *
 * <p>Entry point: {@link io.berth.deploy.load.http.Driver}. A {@link io.berth.deploy.load.http.Traffic} creates its
 * requests, and judges the responses, on one event loop, and so needs no locks. This package knows nothing of placement
 * or scheduling.
 */
package io.berth.deploy.load.http;
