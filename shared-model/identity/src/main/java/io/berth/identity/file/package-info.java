/**
 * Identity by a file of named secrets, for small deployments. {@link io.berth.identity.file.SecretFile} (pure) parses
 * the file, {@link io.berth.identity.file.SecretCheck} compares secrets, {@link io.berth.identity.file.BasicIdentity}
 * and {@link io.berth.identity.file.TokenIdentity} are the strategies, {@link io.berth.identity.file.SecretEntry}
 * creates entries.
 */
package io.berth.identity.file;
