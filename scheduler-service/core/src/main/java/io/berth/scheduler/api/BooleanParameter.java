package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/** Reads a query parameter that is true or false. */
public final class BooleanParameter {
    private BooleanParameter() {}

    /** Returns false if absent. Throws ApiFault (400) for anything else. */
    public static boolean isTrue(String name, @Nullable String stated) {
        return switch (stated) {
            case "true" -> true;
            case "false" -> false;
            case null -> false;
            default -> throw ApiFault.invalid(name + ": must be true or false");
        };
    }
}
