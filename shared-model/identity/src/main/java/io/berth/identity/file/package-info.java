/**
 * The identity strategies {@code basic} ({@link io.berth.identity.file.BasicIdentity}) and {@code token}
 * ({@link io.berth.identity.file.TokenIdentity}), which identify callers by a file of named secrets, for small
 * deployments. {@link io.berth.identity.file.SecretFile} parses the file, {@link io.berth.identity.file.SecretCheck}
 * compares the secrets of requests with it, and {@link io.berth.identity.file.SecretEntry} creates its entries.
 */
package io.berth.identity.file;
