/**
 * The protocol all routes share: microversions, request ids, error bodies, content negotiation, CORS.
 *
 * <p>Every request passes {@link io.berth.placement.http.ProtocolFilter}, which leaves a
 * {@link io.berth.placement.http.Call} behind; endpoints ask it for the microversion and the caller, read bodies with
 * {@link io.berth.placement.http.Json} and {@link io.berth.placement.http.Schema}, answer with
 * {@link io.berth.placement.http.Responses} and refuse by throwing {@link io.berth.placement.http.ApiException}. Knows no
 * resource of the API.
 */
package io.berth.placement.http;
