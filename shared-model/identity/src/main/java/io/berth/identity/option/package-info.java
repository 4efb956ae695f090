/**
 * Keys of configuration that nobody reads stop the start: {@link io.berth.identity.option.UnknownKeys}. Which keys there
 * are is in {@code resources/berth-keys.txt}, for both services, as both often get the same environment.
 */
package io.berth.identity.option;
