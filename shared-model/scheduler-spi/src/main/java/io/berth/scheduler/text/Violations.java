package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the rules that a flavor and an image violate while a value ({@link DerivedValue}) is derived from them, so
 * that their author sees all violations in one error, not only the first. Mutable; used within one derivation, by one
 * thread.
 */
public final class Violations {
    private final List<String> details = new ArrayList<>();

    public void add(String detail) {
        details.add(detail);
    }

    /** Returns the derived value. For a refusal, records its detail and returns null. */
    public <T> @Nullable T valueOf(DerivedValue<T> derived) {
        return switch (derived) {
            case DerivedValue.Value<T>(T value) -> value;
            case DerivedValue.Refused<T>(String detail) -> {
                add(detail);
                yield null;
            }
        };
    }

    /** Returns the value if no violation was recorded; otherwise a refusal with all violations. */
    public <T> DerivedValue<T> orValue(@Nullable T value) {
        return details.isEmpty()
                ? new DerivedValue.Value<>(value)
                : new DerivedValue.Refused<>(String.join("; ", details));
    }
}
