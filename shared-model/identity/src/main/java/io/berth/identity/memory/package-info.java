/**
 * Bounded cache of authentication results: {@link io.berth.identity.memory.CredentialMemory}. Holds no credential, only
 * keyed digests.
 */
package io.berth.identity.memory;
