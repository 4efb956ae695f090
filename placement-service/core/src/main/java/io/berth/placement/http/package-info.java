/**
 * The protocol that all routes share: microversions, request ids, error bodies, content negotiation, parsing of bodies,
 * and worker threads.
 *
 * <p>Entry point: {@link io.berth.placement.http.ProtocolFilter}, which checks every request and creates its {@link
 * io.berth.placement.http.Call}. Endpoints get the microversion and the caller from the call, parse bodies with {@link
 * io.berth.placement.http.Json} and {@link io.berth.placement.http.Schema}, respond with {@link
 * io.berth.placement.http.Responses}, and refuse by throwing {@link io.berth.placement.http.ApiException}. All packages
 * with endpoints use this one, which must not depend on any resource of the API.
 */
package io.berth.placement.http;
