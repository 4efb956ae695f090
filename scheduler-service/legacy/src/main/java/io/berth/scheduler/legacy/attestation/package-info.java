/**
 * Finds how far a node is to be trusted. If {@code [trusted_computing] attestation_server} is set,
 * {@link io.berth.scheduler.legacy.attestation.TrustLevels} queries that service before a decision that needs the
 * levels, and passes them to the pure {@link io.berth.scheduler.legacy.filter.TrustedFilter} as data of the hosts. Must
 * not depend on the decision or the registry.
 */
package io.berth.scheduler.legacy.attestation;
