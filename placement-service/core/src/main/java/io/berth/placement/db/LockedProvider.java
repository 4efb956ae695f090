package io.berth.placement.db;

/**
 * A provider whose row a {@link CatalogueWrite} has locked until the end of its transaction.
 *
 * @param generation the generation at the time of the lock, which no other transaction can change while the lock is
 *         held
 */
public record LockedProvider(long id, int generation) {}
