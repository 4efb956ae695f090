/**
 * Who is asking. {@link io.berth.identity.IdentityGate} runs before every route of a service and leaves an
 * {@link io.berth.identity.Identification} with the request; what each way of finding out needs is in a package of its
 * own ({@code header}, {@code file}, {@code keystone}, {@code oidc}), and reads the request's headers by {@link
 * io.berth.identity.RequestHeader}. What a caller may do is {@code policy}; how a
 * service names itself to another is {@code outgoing}. {@link io.berth.identity.StartRefusal} is how both services
 * refuse to start, whatever the reason. Knows no route and no error body of a service.
 */
package io.berth.identity;
