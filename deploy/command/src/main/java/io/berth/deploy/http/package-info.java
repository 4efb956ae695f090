/**
 * Sends JSON over HTTP to one service, and runs many such requests on a bounded number of threads. Knows no resource of
 * an API. All other packages of the command use it.
 *
 * <p>Entry point: {@link io.berth.deploy.http.RestClient}.
 */
package io.berth.deploy.http;
