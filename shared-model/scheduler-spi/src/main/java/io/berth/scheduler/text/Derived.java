package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Objects;
import java.util.function.Function;

/**
 * A value that was derived from texts, usually of a flavor and an image, or the reason why they contradict each other.
 */
public sealed interface Derived<T> {
    /** The derived value; null if nothing was requested. */
    record Value<T>(@Nullable T value) implements Derived<T> {}

    /** An error of the whole request, never of one host. The detail is for the author of the flavor or image. */
    record Refused<T>(String detail) implements Derived<T> {
        public Refused {
            Objects.requireNonNull(detail, "detail");
        }
    }

    /** Derives the next value from this one, which may be null. A refusal stays as it is. */
    default <R> Derived<R> then(Function<? super T, Derived<R>> next) {
        return switch (this) {
            case Value<T>(T value) -> next.apply(value);
            case Refused<T>(String detail) -> new Refused<>(detail);
        };
    }
}
