package io.berth.placement.db;

/**
 * A provider whose row this transaction has locked.
 *
 * @param generation the present generation; no other transaction changes it before this one ends
 */
public record LockedProvider(long id, int generation) {}
