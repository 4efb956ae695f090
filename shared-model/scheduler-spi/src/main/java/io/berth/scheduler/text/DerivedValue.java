package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.function.Function;

/**
 * The result of a derivation from text, usually of a flavor and an image: a value, or the reason why the text is
 * invalid or contradictory.
 */
public sealed interface DerivedValue<T> {
    /** The derived value; null if nothing was requested. */
    record Value<T>(@Nullable T value) implements DerivedValue<T> {}

    /**
     * The derivation failed, which is an error of the whole request and not of one host. The detail is a message for
     * the author of the flavor or image.
     */
    record Refused<T>(String detail) implements DerivedValue<T> {
        public Refused {
            Objects.requireNonNull(detail, "detail");
        }
    }

    /** Returns the function's result for the value, which may be null; a refusal is returned unchanged. */
    default <R> DerivedValue<R> then(Function<? super T, DerivedValue<R>> next) {
        return switch (this) {
            case Value<T>(T value) -> next.apply(value);
            case Refused<T>(String detail) -> new Refused<>(detail);
        };
    }
}
