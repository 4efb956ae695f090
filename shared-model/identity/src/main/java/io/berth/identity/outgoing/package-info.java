/**
 * Credentials and tokens with which this service calls other services. {@link io.berth.identity.outgoing.Credentials}
 * authenticate each call; they are a fixed header, or a {@link io.berth.identity.outgoing.RenewedToken}. {@link
 * io.berth.identity.outgoing.TokenEndpoint} fetches tokens from an OpenID Connect provider, for this service and for
 * users who sign in to the console.
 */
package io.berth.identity.outgoing;
