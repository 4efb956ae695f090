/**
 * Identity by OpenID Connect bearer tokens, verified by Quarkus OIDC: {@link io.berth.identity.oidc.OidcIdentity}.
 * Quarkus' extension is part of every build; {@link io.berth.identity.oidc.OidcActivation} disables it unless the
 * strategy is oidc.
 */
package io.berth.identity.oidc;
