/**
 * HTTP within bounds: small calls to identity services ({@link io.berth.identity.http.BoundedHttp}), when calls to a
 * service that is away are kept back ({@link io.berth.identity.http.Breaker}), and how often that is told ({@link
 * io.berth.identity.http.NowAndThen}).
 */
package io.berth.identity.http;
