package io.berth.placement.db;

/**
 * A provider whose row this transaction holds.
 *
 * @param generation as of now; nobody else changes it before this transaction ends
 */
public record LockedProvider(long id, int generation) {}
