/**
 * Keys of configuration that nobody reads stop the start: {@link io.berth.identity.option.UnknownKeys}. Which keys there
 * are is in {@code resources/berth-keys.txt}, for both services, as both often get the same environment.
 * The values of secrets may stand in files: {@link io.berth.identity.option.SecretFiles}.
 */
package io.berth.identity.option;
