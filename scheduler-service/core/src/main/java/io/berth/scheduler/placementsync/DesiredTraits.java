package io.berth.scheduler.placementsync;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.TreeSet;

/**
 * Computes the traits that a compute node's provider must have. Pure.
 *
 * <p>The trait {@value #DISABLED} is set if the service is disabled. The other COMPUTE_* traits are exactly those that
 * the node reports, because they describe capabilities of the node, which an operator cannot change. Traits without
 * the prefix COMPUTE_ are added if the node reports them, and never removed.
 * <br>Source: nova admin guide, "Manage capabilities with traits"; {@code compute/manager.py}
 * (update_provider_status).
 */
public final class DesiredTraits {
    static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    private static final String CAPABILITY = "COMPUTE_";

    private DesiredTraits() {}

    /**
     * Returns the wanted traits.
     *
     * @param present current traits of the provider
     * @param disabled whether the service is disabled; null to leave the trait {@value #DISABLED} unchanged
     * @param reported the traits that the node reports; null to leave all traits but {@value #DISABLED} unchanged
     */
    public static Set<String> of(Set<String> present, @Nullable Boolean disabled, @Nullable Set<String> reported) {
        Set<String> wantedTraits = new TreeSet<>(present);
        if (reported != null) {
            wantedTraits.removeIf(trait -> trait.startsWith(CAPABILITY));
            wantedTraits.addAll(reported);
        }
        if (disabled == null ? present.contains(DISABLED) : disabled) {
            wantedTraits.add(DISABLED);
        } else {
            wantedTraits.remove(DISABLED);
        }
        return wantedTraits;
    }
}
