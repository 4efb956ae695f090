/**
 * Findings about credentials, cached within bounds: {@link io.berth.identity.memory.CredentialMemory}. Holds no
 * credential, only keyed digests.
 */
package io.berth.identity.memory;
