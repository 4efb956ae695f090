package io.berth.placement.db;

import io.smallrye.mutiny.Uni;

/**
 * Runs each of a store's Hibernate queries once without effect before the service takes requests: the first run of a
 * query takes hundreds of milliseconds on an event loop and would delay a client's write.
 */
public interface QueryWarmUp {
    /** Runs the queries so that they find and change nothing. */
    Uni<?> ask(CatalogueWrite write);
}
