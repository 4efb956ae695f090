/**
 * JSON over HTTP to one service, and bounded work on many requests at once. Does not depend on any resource of an API.
 *
 * <p>Entry point: {@link io.berth.deploy.http.RestClient}.
 */
package io.berth.deploy.http;
