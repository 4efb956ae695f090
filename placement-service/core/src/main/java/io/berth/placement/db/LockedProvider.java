package io.berth.placement.db;

/**
 * A provider whose row this transaction has locked.
 *
 * @param generation the present generation, which no other transaction can change before this transaction ends
 */
public record LockedProvider(long id, int generation) {}
