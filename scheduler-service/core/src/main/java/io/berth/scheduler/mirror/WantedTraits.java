package io.berth.scheduler.mirror;

import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.TreeSet;

/**
 * The traits a compute node's provider shall have. Pure.
 *
 * <p>{@value #DISABLED} follows the service. Of the other COMPUTE_* traits exactly those are wanted that the node
 * reports: they say what it is capable of, which no admin can change. All else that stands there stays.
 * <br>Source: nova admin guide, "Manage capabilities with traits"; {@code compute/manager.py} (update_provider_status).
 */
public final class WantedTraits {
    static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    private static final String CAPABILITY = "COMPUTE_";

    private WantedTraits() {}

    /**
     * @param present on the provider now
     * @param disabled whether the service is; null to leave that trait as it is
     * @param reported by the node; null to leave capabilities as they are
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
