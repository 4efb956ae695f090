package io.berth.scheduler.placementsync;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.TreeSet;

/**
 * Computes the traits that a compute node's provider must have. Pure.
 *
 * <p>The trait {@value #DISABLED} is set if the service is disabled. The other COMPUTE_* traits are exactly those that
 * the node reports, because they describe capabilities of the node, which an operator cannot change. All other traits
 * stay.
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
     * @param disabled whether the service is disabled; null to leave that trait unchanged
     * @param reported the COMPUTE_* traits that the node reports; null to leave those unchanged
     */
    public static Set<String> of(Set<String> present, @Nullable Boolean disabled, @Nullable Set<String> reported) {
        Set<String> wanted = new TreeSet<>(present);
        if (reported != null) {
            wanted.removeIf(trait -> trait.startsWith(CAPABILITY));
            wanted.addAll(reported);
        }
        if (disabled == null ? present.contains(DISABLED) : disabled) {
            wanted.add(DISABLED);
        } else {
            wanted.remove(DISABLED);
        }
        return wanted;
    }
}
