package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.DerivedValue;
import java.util.Set;
import java.util.function.Function;

/** The result of a prefilter. */
public sealed interface PrefilterResult {
    /**
     * The decision continues with this request. A prefilter that changes nothing returns the request that it received.
     */
    record Continue(PlacementRequest request) implements PrefilterResult {}

    /** No host can satisfy the request, which ends with "no valid host". */
    record Refused(String detail) implements PrefilterResult {}

    /** The request is invalid or contradicts itself, and ends with status 400. */
    record Invalid(String detail) implements PrefilterResult {}

    /** Returns the function's result for the derived value; {@link Invalid} if the derivation was refused. */
    static <T> PrefilterResult of(DerivedValue<T> derived, Function<? super T, PrefilterResult> next) {
        return switch (derived) {
            case DerivedValue.Value<T>(T value) -> next.apply(value);
            case DerivedValue.Refused<T>(String detail) -> new Invalid(detail);
        };
    }

    /** Returns the request with these traits required on the root provider; the unchanged request for an empty set. */
    static PrefilterResult requireOnRoot(PlacementRequest request, Set<String> traits) {
        return new Continue(traits.isEmpty() ? request : request.withRootRequired(traits));
    }
}
