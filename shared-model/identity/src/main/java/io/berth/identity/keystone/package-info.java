/**
 * Identity by OpenStack's Keystone (API v3). {@link io.berth.identity.keystone.KeystoneIdentity} is the strategy,
 * {@link io.berth.identity.keystone.KeystoneClient} calls Keystone, {@link io.berth.identity.keystone.KeystoneJson}
 * (pure) renders and parses the bodies. The client also serves the service's own credentials for other services.
 */
package io.berth.identity.keystone;
