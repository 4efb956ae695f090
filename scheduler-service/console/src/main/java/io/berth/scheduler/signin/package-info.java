/**
 * How somebody with a browser gets a token: what the strategy wants, and a token for a Keystone password or for the
 * code that an OpenID Connect provider sent the browser back with. Nothing of it is kept. Entry point: {@link
 * io.berth.scheduler.signin.SignInEndpoint}. Who a token belongs to is not its affair: {@code io.berth.identity}.
 */
package io.berth.scheduler.signin;
