/**
 * Identity by OpenID Connect bearer tokens, verified by Quarkus OIDC: {@link io.berth.identity.oidc.OidcIdentity}. The
 * extension is built in and does nothing unless the strategy is chosen ({@link io.berth.identity.oidc.OidcActivation}).
 */
package io.berth.identity.oidc;
