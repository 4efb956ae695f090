/**
 * The cross-origin headers of requests and responses: {@link io.berth.placement.http.header.Cors}, which {@code
 * ProtocolFilter} in {@code http} calls. This package must not depend on routes.
 */
package io.berth.placement.http.header;
