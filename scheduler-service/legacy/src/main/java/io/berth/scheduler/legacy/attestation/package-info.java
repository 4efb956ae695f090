/**
 * Queries the trust levels of nodes from an attestation service ({@code [trusted_computing] attestation_server}).
 * {@link io.berth.scheduler.legacy.attestation.TrustLevels} implements {@link io.berth.scheduler.spi.HostFactSource}:
 * the scheduler calls it before a decision whose filters include {@link
 * io.berth.scheduler.legacy.filter.TrustedFilter}, which reads the level from the host state. This package must not
 * depend on decisions or the registry.
 */
package io.berth.scheduler.legacy.attestation;
