/**
 * What was found out about credentials, kept for a while within bounds:
 * {@link io.berth.identity.memory.CredentialMemory}. Holds no credential, only keyed digests.
 */
package io.berth.identity.memory;
