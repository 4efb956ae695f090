package io.berth.placement.identity;

import jakarta.inject.Singleton;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Which caller may do what, by upstream's rule names and defaults: admin and service may do anything, a reader may
 * see the usages of its own project, whoever is system scoped is refused.
 *
 * <p>Option {@code berth.profile}: {@code legacy} and {@code cors} as above; {@code secure}: reshaping is for the
 * role service alone; {@code open}: any authenticated caller may do anything.
 */
@Singleton
public final class Policy {
    private static final Set<String> PROFILES = Set.of("legacy", "secure", "open", "cors");

    private final String profile;

    Policy(@ConfigProperty(name = "berth.profile", defaultValue = "legacy") String profile) {
        if (!PROFILES.contains(profile)) {
            throw new IllegalArgumentException("berth.profile=" + profile + " is none of legacy, secure, open, cors");
        }
        this.profile = profile;
    }

    /** @param projectId the project that what is asked for belongs to; null when it belongs to none */
    public boolean allows(String rule, Caller caller, String projectId) {
        if (profile.equals("open")) {
            return true;
        }
        if (caller.systemScoped()) {
            return false;
        }
        if (rule.startsWith("placement:reshaper") && profile.equals("secure")) {
            return caller.roles().contains("service");
        }
        if (caller.roles().contains("admin") || caller.roles().contains("service")) {
            return true;
        }
        return rule.equals("placement:usages")
                && caller.roles().contains("reader")
                && projectId != null
                && projectId.equals(caller.projectId());
    }
}
