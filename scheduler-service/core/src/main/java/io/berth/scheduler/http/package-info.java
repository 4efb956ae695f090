/**
 * The HTTP protocol that all routes of the scheduler share. {@link io.berth.scheduler.http.RouteGuard} sets request ids
 * and checks identification, policy, query parameters and size of every request but those for public paths, such as
 * health; {@link io.berth.scheduler.http.JsonBody} parses bodies; all packages throw
 * {@link io.berth.scheduler.http.ApiFault} to refuse a request. This package must not depend on hosts or placement.
 */
package io.berth.scheduler.http;
