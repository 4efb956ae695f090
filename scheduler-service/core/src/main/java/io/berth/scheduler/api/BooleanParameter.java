package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/** Reads a query parameter that must be {@code true} or {@code false}. */
public final class BooleanParameter {
    private BooleanParameter() {}

    /**
     * Returns whether the parameter is true. Throws ApiFault (400) for a value other than {@code true} and
     * {@code false}.
     *
     * @param name the parameter's name, for the error
     * @param value the parameter's value; null (absent) is false
     */
    public static boolean isTrue(String name, @Nullable String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            case null -> false;
            default -> throw ApiFault.invalid(name + ": must be true or false");
        };
    }
}
