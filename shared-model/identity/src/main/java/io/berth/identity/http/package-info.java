/**
 * HTTP within bounds: small calls to identity services ({@link io.berth.identity.http.BoundedHttp}), and when calls to a
 * service that is away are kept back ({@link io.berth.identity.http.Breaker}).
 */
package io.berth.identity.http;
