/**
 * How far is a node to be trusted? Where {@code [trusted_computing] attestation_server} is set,
 * {@link io.berth.scheduler.legacy.attestation.TrustLevels} asks that service before a decision that wants to know, and hands
 * the levels to the pure {@link io.berth.scheduler.legacy.filter.TrustedFilter} as data of the hosts. Must not depend on the
 * decision or the registry.
 */
package io.berth.scheduler.legacy.attestation;
