/**
 * Configuration keys that no code reads stop the start: {@link io.berth.identity.option.UnknownKeys}. The known keys
 * are in {@code resources/berth-keys.txt}, for both services, because both often get the same environment. Secrets may
 * be in files: {@link io.berth.identity.option.SecretFiles}.
 */
package io.berth.identity.option;
