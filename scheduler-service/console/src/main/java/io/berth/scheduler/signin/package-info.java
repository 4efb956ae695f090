/**
 * Gives a user with a browser a token: returns what the identification strategy requires, and exchanges a Keystone
 * password, or the code that an OpenID Connect provider sent the browser back with, for a token. Stores nothing. Entry
 * point: {@link io.berth.scheduler.signin.SignInEndpoint}. {@code io.berth.identity} identifies the owner of a token.
 */
package io.berth.scheduler.signin;
