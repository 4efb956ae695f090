/**
 * HTTP within bounds, both ways: small calls to identity services ({@link io.berth.identity.http.BoundedHttp}), and
 * callers of ours that take too long to say what they want ({@code SlowBodies}).
 */
package io.berth.identity.http;
