package io.berth.placement.candidate;

/** What a query's names mean in a view. */
sealed interface Resolution {
    record Resolved(ResolvedQuery query) implements Resolution {}

    /** 400. */
    record UnknownResourceClass(String name) implements Resolution {}

    /** 400. */
    record UnknownTrait(String name) implements Resolution {}

    /** No provider of this fleet can be a candidate; an empty answer, no error. */
    record Hopeless() implements Resolution {}
}
