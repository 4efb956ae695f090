package io.berth.placement.candidate.response;

import io.berth.model.Microversion;

/** The form of the response of {@code GET /allocation_candidates} at a microversion. */
record ResponseForm(Requests requests, Summaries summaries) {
    /** The form of an element of {@code allocation_requests}. */
    enum Requests {
        /** {@code allocations} is a list. */
        LIST,
        /** {@code allocations} is an object by provider, from 1.12. */
        OBJECT,
        /** Adds {@code mappings} of suffixes to providers, from 1.34. */
        OBJECT_WITH_MAPPINGS
    }

    /** The content of an element of {@code provider_summaries}. */
    enum Summaries {
        /** The resource classes of the query alone. */
        REQUESTED_CLASSES,
        /** Adds traits, from 1.17. */
        REQUESTED_CLASSES_AND_TRAITS,
        /** Every resource class, and traits, from 1.27. */
        ALL_CLASSES,
        /** Adds parent and root, from 1.29. */
        TREES
    }

    static ResponseForm of(Microversion version) {
        Requests requests = version.atLeast(34)
                ? Requests.OBJECT_WITH_MAPPINGS
                : version.atLeast(12) ? Requests.OBJECT : Requests.LIST;
        Summaries summaries = version.atLeast(29)
                ? Summaries.TREES
                : version.atLeast(27)
                        ? Summaries.ALL_CLASSES
                        : version.atLeast(17) ? Summaries.REQUESTED_CLASSES_AND_TRAITS : Summaries.REQUESTED_CLASSES;
        return new ResponseForm(requests, summaries);
    }
}
