/**
 * Checks of the configuration of both services. {@link io.berth.identity.option.UnknownKeys} refuses keys that no code
 * reads; {@link io.berth.identity.option.SecretFiles} reads secrets from files. One list, {@code
 * resources/berth-keys.txt}, has the keys of both services, because both often get the same environment.
 */
package io.berth.identity.option;
