/**
 * Identifies callers. {@link io.berth.identity.IdentityGate} runs before every route of a service except {@code /} and
 * the paths below {@code /q/}, and attaches an {@link io.berth.identity.Identification} to the request. Each strategy
 * is in a package of its own ({@code header}, {@code file}, {@code keystone}, {@code oidc}), and reads the request's
 * headers through {@link io.berth.identity.RequestHeader}. {@code policy} decides what a caller may do; {@code
 * outgoing} holds the credentials with which a service calls other services. Both services use {@link
 * io.berth.identity.StartRefusal} for every refusal to start. The package knows no route and no error body of a
 * service.
 */
package io.berth.identity;
