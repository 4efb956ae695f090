/**
 * Tokens that this service obtains. {@link io.berth.identity.outgoing.Credentials} authenticate its calls to other
 * services; they are fixed, or a {@link io.berth.identity.outgoing.RenewedToken}. {@link
 * io.berth.identity.outgoing.TokenEndpoint} fetches tokens from an OpenID Connect provider, for this service and for
 * users who sign in to the console.
 */
package io.berth.identity.outgoing;
