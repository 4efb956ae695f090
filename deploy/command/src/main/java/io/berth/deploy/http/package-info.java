/**
 * JSON over HTTP to one service, and bounded work on many requests at once. Knows no resource of any API.
 *
 * <p>Entry point: {@link io.berth.deploy.http.RestClient}.
 */
package io.berth.deploy.http;
