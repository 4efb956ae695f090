/**
 * Caches a limited number of results of validating credentials ({@link io.berth.identity.memory.CredentialMemory}). The
 * cache holds no credential, only keyed digests.
 */
package io.berth.identity.memory;
