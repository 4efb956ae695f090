package io.berth.scheduler.spi;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.Derived;
import java.util.Set;
import java.util.function.Function;

/** The result of a prefilter. */
public sealed interface PrefilterResult {
    /** Continues with this request; if it is the same object that came in, the prefilter changed nothing. */
    record Continue(PlacementRequest request) implements PrefilterResult {}

    /** No host can satisfy the request: it ends as "no valid host". */
    record Refused(String detail) implements PrefilterResult {}

    /** The request contradicts itself. */
    record Invalid(String detail) implements PrefilterResult {}

    /** Passes a derived value to the function; a refused derivation makes the request invalid. */
    static <T> PrefilterResult of(Derived<T> derived, Function<? super T, PrefilterResult> next) {
        return switch (derived) {
            case Derived.Value<T>(T value) -> next.apply(value);
            case Derived.Refused<T>(String detail) -> new Invalid(detail);
        };
    }

    /** Requires the traits on the root provider; without traits the request is unchanged. */
    static PrefilterResult requireOnRoot(PlacementRequest request, Set<String> traits) {
        return new Continue(traits.isEmpty() ? request : request.withRootRequired(traits));
    }
}
