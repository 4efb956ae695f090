/**
 * The route {@code /v1/sign_in}, with which the operator's page obtains a token. The route returns the strategy by
 * which the service identifies callers, and exchanges a Keystone password or an OpenID Connect authorization code for a
 * token. Entry point: {@link io.berth.scheduler.signin.SignInEndpoint}. Nothing is stored. The package
 * {@code io.berth.identity} identifies the owner of a token.
 */
package io.berth.scheduler.signin;
