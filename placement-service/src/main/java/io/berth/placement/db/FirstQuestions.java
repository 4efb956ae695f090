package io.berth.placement.db;

import io.smallrye.mutiny.Uni;

/**
 * What a store asks Hibernate, asked once of nothing before the service takes requests: what is asked for the first time
 * takes hundreds of milliseconds of an event loop, and would be somebody's write.
 */
public interface FirstQuestions {
    /** Reads without finding or changing anything. */
    Uni<?> ask(CatalogueWrite write);
}
