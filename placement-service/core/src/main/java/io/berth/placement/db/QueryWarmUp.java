package io.berth.placement.db;

import io.smallrye.mutiny.Uni;

/**
 * Runs each Hibernate query of a store once before the service counts as started. The first run of a query blocks an
 * event loop for hundreds of milliseconds, which would delay a client's write. {@link CatalogueStarted} calls all beans
 * of this type.
 */
public interface QueryWarmUp {
    /** Runs the queries with parameters that match no row. */
    Uni<?> warmUp(CatalogueWrite write);
}
