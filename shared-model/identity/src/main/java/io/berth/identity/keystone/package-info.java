/**
 * Identity by OpenStack's Keystone (API v3). {@link io.berth.identity.keystone.KeystoneIdentity} is the strategy,
 * {@link io.berth.identity.keystone.KeystoneClient} the calls, {@link io.berth.identity.keystone.KeystoneJson} (pure)
 * the bodies.
 */
package io.berth.identity.keystone;
