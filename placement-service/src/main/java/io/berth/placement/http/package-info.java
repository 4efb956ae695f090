/**
 * The protocol all routes share: microversions, request ids, error bodies, content negotiation, CORS.
 *
 * <p>Every request passes {@link io.berth.placement.http.ProtocolFilter}, which creates a {@link
 * io.berth.placement.http.Call}; endpoints get the microversion and the caller from it, read bodies with {@link
 * io.berth.placement.http.Json} and {@link io.berth.placement.http.Schema}, respond with {@link
 * io.berth.placement.http.Responses} and refuse by throwing {@link io.berth.placement.http.ApiException}. Knows no
 * resource of the API.
 */
package io.berth.placement.http;
