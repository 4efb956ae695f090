/**
 * Support of web pages from other origins: {@link io.berth.placement.http.header.Cors} responds to preflight requests
 * and adds CORS headers to other responses, if any origin is configured. {@code ProtocolFilter} in {@code http} calls
 * it. This package must not depend on routes.
 */
package io.berth.placement.http.header;
