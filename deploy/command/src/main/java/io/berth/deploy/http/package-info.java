/**
 * Sends JSON over HTTP to one service, and runs many requests on a bounded number of threads. Callers pass in the
 * paths; this package itself only knows how to check that a service is a Placement and supports the microversion that
 * the command needs. All packages of the command that send requests use it.
 *
 * <p>Entry point: {@link io.berth.deploy.http.RestClient}.
 */
package io.berth.deploy.http;
