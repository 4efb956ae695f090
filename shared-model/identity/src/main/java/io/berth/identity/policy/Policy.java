package io.berth.identity.policy;

import io.berth.identity.Caller;
import io.berth.identity.WatchedFile;
import io.berth.identity.log.ChangeLog;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Decides which operations a caller may use, by the service's {@link PolicyDefaults} and the operator's policy file,
 * whose rules take precedence.
 *
 * <p>The bean is application scoped, that is, injected as a proxy: request filters are created before the runtime
 * configuration is known, on which this bean depends.
 */
@ApplicationScoped
public class Policy {
    private static final Logger LOG = Logger.getLogger(Policy.class);
    private static final String KEY = "berth.policy.file";
    /** The priority among observers of the start, of which the lowest runs first. */
    private static final int EARLY = -10;

    private final boolean scopeEnforced;
    private final Supplier<RuleTable> rules;

    /** Receives the changed rules of a reloaded file. */
    @FunctionalInterface
    interface Changes {
        void fileChanged(String what, String old, String now);
    }

    @Inject
    Policy(PolicyDefaults defaults, PolicyConfig config, Vertx vertx, ChangeLog changes) {
        this(defaults, config, vertx, changes::fileChanged);
    }

    Policy(PolicyDefaults defaults, PolicyConfig config, Vertx vertx, Changes changes) {
        FileRules stated = new FileRules(changes);
        List<DefaultRule> known = defaults.rules();
        boolean newDefaultsAlone = config.enforceNewDefaults();
        this.scopeEnforced = config.enforceScope();
        if (config.file().isEmpty()) {
            RuleTable fixed = RuleTable.of(known, Map.of(), newDefaultsAlone, PolicyFaults.REFUSED);
            this.rules = () -> fixed;
            return;
        }
        WatchedFile<RuleTable> file = WatchedFile.open(
                vertx, KEY, config.file().get(),
                text -> {
                    PolicyFaults faults = config.strict() ? PolicyFaults.REFUSED : logged(config.file().get());
                    Map<String, RuleDefinition> parsed = PolicyFile.parse(text, faults);
                    RuleTable table = RuleTable.of(known, parsed, newDefaultsAlone, faults);
                    stated.take("policy file " + config.file().get(), parsed);
                    return table;
                });
        this.rules = file::current;
    }

    private static PolicyFaults logged(String path) {
        return (wrong, effect) -> LOG.warnf("%s=%s: %s; %s", KEY, path, wrong.getMessage(), effect);
    }

    /** Creates this bean at start, so that an invalid policy file stops the start. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    /**
     * Returns whether the caller may use an operation on an object that belongs to no project. In a rule that compares
     * projects or users, the target has the caller's own.
     *
     * @param rule name of a rule of {@link PolicyDefaults}; an unknown name throws IllegalArgumentException
     */
    public boolean allows(String rule, Caller caller) {
        return isInScope(caller) && rules().get(rule).holds(caller, Target.ownOf(caller));
    }

    /**
     * Returns whether the caller may use an operation on an object that belongs to a project.
     *
     * @param rule name of a rule of {@link PolicyDefaults}; an unknown name throws IllegalArgumentException
     *
     * @param projectId the project of the object; null if it belongs to none, and then no rule that compares projects
     *         holds
     */
    public boolean allows(String rule, Caller caller, @Nullable String projectId) {
        return isInScope(caller) && rules().get(rule).holds(caller, new Target(projectId, null));
    }

    private boolean isInScope(Caller caller) {
        return !scopeEnforced || (!caller.systemScoped() && caller.domainId() == null);
    }

    private RuleTable rules() {
        return rules.get();
    }
}
