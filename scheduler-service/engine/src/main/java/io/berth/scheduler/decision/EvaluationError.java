package io.berth.scheduler.decision;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * Reports that the request itself cannot be evaluated, so no other host would help.
 *
 * @param name of the filter or weigher; null for constraints
 * @param host where the error occurred; null for constraints
 */
public record EvaluationError(Stage stage, @Nullable String name, @Nullable HostName host, String detail) {
    /** The stage in which the error occurred. */
    public enum Stage implements WireNamed {
        /** Reading the image, deriving topology or PCI requests. */
        CONSTRAINTS,
        FILTER,
        WEIGHER
    }

    public static EvaluationError ofConstraints(String detail) {
        return new EvaluationError(Stage.CONSTRAINTS, null, null, detail);
    }
}
