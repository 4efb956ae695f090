package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.Objects;

/** What a flavor and an image ask for, or why they contradict themselves. */
public sealed interface Derived<T> {
    /** Null where nothing was asked for. */
    record Value<T>(@Nullable T value) implements Derived<T> {}

    /** An error of the whole request, never of one host. The detail is for the one who wrote the flavor or image. */
    record Refused<T>(String detail) implements Derived<T> {
        public Refused {
            Objects.requireNonNull(detail, "detail");
        }
    }
}
