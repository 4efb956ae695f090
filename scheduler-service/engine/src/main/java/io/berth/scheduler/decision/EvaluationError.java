package io.berth.scheduler.decision;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * The request itself cannot be evaluated; no host would help.
 *
 * @param name of the filter or weigher; null for constraints
 * @param host where it showed; null for constraints
 */
public record EvaluationError(Stage stage, @Nullable String name, @Nullable HostName host, String detail) {
    /** Where the error showed. */
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
