/**
 * Identifies the callers of a service. {@link io.berth.identity.IdentityGate} runs before every route of a service
 * except {@code /} and the paths below {@code /q/}, and attaches an {@link io.berth.identity.Identification} to the
 * request. Each strategy is in a package of its own ({@code header}, {@code file}, {@code keystone}, {@code oidc}), and
 * reads the request's headers through {@link io.berth.identity.RequestHeader}. {@code policy} decides what a caller may
 * do; {@code outgoing} holds the credentials with which a service calls other services.
 * {@link io.berth.identity.StartRefusal} stops the start of a service with one log line. The package knows no error
 * body of a service, and no route except {@code /} and {@code /q/}.
 */
package io.berth.identity;
