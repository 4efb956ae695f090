package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;

/** A parameter of the query string that is true or false. */
final class BooleanParameter {
    private BooleanParameter() {}

    /** False when absent. Throws ApiFault (400) for anything else. */
    static boolean isTrue(String name, @Nullable String stated) {
        return switch (stated) {
            case "true" -> true;
            case "false" -> false;
            case null -> false;
            default -> throw ApiFault.invalid(name + ": must be true or false");
        };
    }
}
