package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the rules that one flavor and image break, so that their author sees all of a step at once. Mutable; used
 * within one derivation.
 */
public final class Violations {
    private final List<String> details = new ArrayList<>();

    public void add(String detail) {
        details.add(detail);
    }

    /** Returns the value of the derivation, or null after recording why there is none. */
    public <T> @Nullable T valueOf(Derived<T> derived) {
        return switch (derived) {
            case Derived.Value<T>(T value) -> value;
            case Derived.Refused<T>(String detail) -> {
                add(detail);
                yield null;
            }
        };
    }

    /** Returns the value if no rule was broken. */
    public <T> Derived<T> orValue(@Nullable T value) {
        return details.isEmpty() ? new Derived.Value<>(value) : new Derived.Refused<>(String.join("; ", details));
    }
}
