/**
 * Identity by a file of named secrets, for small sites. {@link io.berth.identity.file.SecretFile} (pure) reads it,
 * {@link io.berth.identity.file.SecretCheck} compares, {@link io.berth.identity.file.BasicIdentity} and
 * {@link io.berth.identity.file.TokenIdentity} are the strategies, {@link io.berth.identity.file.SecretEntry} makes
 * entries.
 */
package io.berth.identity.file;
