/**
 * HTTP within bounds, both ways: small calls to identity services ({@link io.berth.identity.http.BoundedHttp}), when
 * calls to a service that is away are kept back ({@link io.berth.identity.http.Breaker}), and callers of ours that take
 * too long to say what they want ({@code SlowBodies}).
 */
package io.berth.identity.http;
