package io.berth.scheduler.decision;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;

/**
 * An error that ends the request, because it would occur on other hosts, too.
 *
 * @param name name of the filter or weigher; null if the stage is CONSTRAINTS
 * @param host the host on which the error occurred; null if the stage is CONSTRAINTS
 */
public record EvaluationError(Stage stage, @Nullable String name, @Nullable HostName host, String detail) {
    /** The stage in which the error occurred. */
    public enum Stage implements WireNamed {
        /** Parsing image properties, deriving the NUMA topology or the PCI requests. */
        CONSTRAINTS,
        FILTER,
        WEIGHER
    }

    public static EvaluationError ofConstraints(String detail) {
        return new EvaluationError(Stage.CONSTRAINTS, null, null, detail);
    }
}
