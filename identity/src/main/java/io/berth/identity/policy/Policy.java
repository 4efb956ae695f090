package io.berth.identity.policy;

import io.berth.identity.Caller;
import io.berth.identity.StartRefusal;
import io.berth.identity.WatchedFile;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Which caller may do what: the service's {@link PolicyDefaults} overridden by the operator's file.
 *
 * <p>Option {@code berth.profile}: {@code legacy} and {@code cors}: new and old defaults both suffice; {@code secure}:
 * the new ones alone; {@code open}: any authenticated caller may do anything, a file is not read.
 *
 * <p>Application scoped, so that filters that are made before the configuration is known can hold it.
 */
@ApplicationScoped
public class Policy {
    private static final Set<String> PROFILES = Set.of("legacy", "secure", "open", "cors");
    private static final int EARLY = -10;

    private final List<DefaultRule> defaults;
    private final boolean newDefaultsAlone;
    private final boolean scopeEnforced;
    private final @Nullable RuleTable fixed;
    private final @Nullable WatchedFile<RuleTable> file;

    Policy(
            PolicyDefaults defaults,
            PolicyConfig config,
            Vertx vertx,
            @ConfigProperty(name = "berth.profile", defaultValue = "legacy") String profile) {
        if (!PROFILES.contains(profile)) {
            throw StartRefusal.because("berth.profile=" + profile + " is none of legacy, secure, open, cors");
        }
        this.defaults = defaults.rules();
        boolean open = profile.equals("open");
        this.newDefaultsAlone = config.enforceNewDefaults().orElse(profile.equals("secure"));
        this.scopeEnforced = config.enforceScope() && !open;
        if (open) {
            this.fixed = RuleTable.open(this.defaults);
        } else {
            this.fixed = config.file().isPresent() ? null : RuleTable.of(this.defaults, Map.of(), newDefaultsAlone);
        }
        this.file = fixed != null ? null : WatchedFile.open(
                vertx, "berth.policy.file", config.file().get(),
                text -> RuleTable.of(this.defaults, PolicyFile.parse(text), newDefaultsAlone));
    }

    /** Made at start, not at first use, so that a wrong file shows at once. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    /** For what belongs to nobody else: rules that compare projects or users compare the caller with itself. */
    public boolean allows(String rule, Caller caller) {
        return isInScope(caller) && rules().get(rule).holds(caller, Target.ownOf(caller));
    }

    /** @param projectId the project that what is asked for belongs to; null when it belongs to none */
    public boolean allows(String rule, Caller caller, @Nullable String projectId) {
        return isInScope(caller) && rules().get(rule).holds(caller, new Target(projectId, null));
    }

    private boolean isInScope(Caller caller) {
        return !scopeEnforced || (!caller.systemScoped() && caller.domainId() == null);
    }

    private RuleTable rules() {
        return file == null ? fixed : file.current();
    }
}
