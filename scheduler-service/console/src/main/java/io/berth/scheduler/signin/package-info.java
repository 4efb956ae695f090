/**
 * How a user with a browser gets a token: the requirements of the strategy, and a token for a Keystone password or for
 * the code that an OpenID Connect provider sent the browser back with. Stores nothing. Entry point:
 * {@link io.berth.scheduler.signin.SignInEndpoint}. {@code io.berth.identity} identifies the owner of a token.
 */
package io.berth.scheduler.signin;
