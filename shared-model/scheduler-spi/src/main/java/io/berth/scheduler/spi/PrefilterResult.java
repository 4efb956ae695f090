package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.Derived;
import java.util.Set;
import java.util.function.Function;

/** The result of a prefilter. */
public sealed interface PrefilterResult {
    /** The decision continues with this request; the same object as the input means no change. */
    record Continue(PlacementRequest request) implements PrefilterResult {}

    /** No host can satisfy the request, which ends as "no valid host". */
    record Refused(String detail) implements PrefilterResult {}

    /** The request contradicts itself, which is an error of the request. */
    record Invalid(String detail) implements PrefilterResult {}

    /** Continues with the function's result for a derived value; a refused derivation makes the request invalid. */
    static <T> PrefilterResult of(Derived<T> derived, Function<? super T, PrefilterResult> next) {
        return switch (derived) {
            case Derived.Value<T>(T value) -> next.apply(value);
            case Derived.Refused<T>(String detail) -> new Invalid(detail);
        };
    }

    /** Requires the traits on the root provider; an empty set changes nothing. */
    static PrefilterResult requireOnRoot(PlacementRequest request, Set<String> traits) {
        return new Continue(traits.isEmpty() ? request : request.withRootRequired(traits));
    }
}
