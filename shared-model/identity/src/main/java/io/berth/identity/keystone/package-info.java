/**
 * The identity strategy {@code keystone}. {@link io.berth.identity.keystone.KeystoneIdentity} identifies callers by
 * their Keystone token, {@link io.berth.identity.keystone.KeystoneClient} calls Keystone's API v3, and
 * {@link io.berth.identity.keystone.KeystoneJson} renders and parses the bodies (pure functions). The client also gets
 * the token with which this service calls other services.
 */
package io.berth.identity.keystone;
