/**
 * HTTP within bounds: small calls to identity services ({@link io.berth.identity.http.BoundedHttp}), the circuit
 * breaker for a service that is away ({@link io.berth.identity.http.Breaker}), and the limit on logging that ({@link
 * io.berth.identity.http.NowAndThen}).
 */
package io.berth.identity.http;
