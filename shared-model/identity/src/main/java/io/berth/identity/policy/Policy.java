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
import org.jboss.logging.Logger;

/**
 * Decides what callers may do: the service's {@link PolicyDefaults} overridden by the operator's file.
 *
 * <p>Application scoped, so that filters that are created before the configuration is known can hold it.
 */
@ApplicationScoped
public class Policy {
    private static final Logger LOG = Logger.getLogger(Policy.class);
    private static final String KEY = "berth.policy.file";
    private static final int EARLY = -10;

    private final boolean scopeEnforced;
    private final @Nullable RuleTable fixed;
    private final @Nullable WatchedFile<RuleTable> file;

    /** Receives changes of rules. */
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
        List<DefaultRule> rules = defaults.rules();
        boolean newDefaultsAlone = config.enforceNewDefaults();
        this.scopeEnforced = config.enforceScope();
        this.fixed = config.file().isPresent()
                ? null
                : RuleTable.of(rules, Map.of(), newDefaultsAlone, PolicyFaults.REFUSED);
        this.file = fixed != null ? null : WatchedFile.open(
                vertx, KEY, config.file().get(),
                text -> {
                    PolicyFaults faults = config.strict() ? PolicyFaults.REFUSED : logged(config.file().get());
                    Map<String, StatedRule> parsed = PolicyFile.parse(text, faults);
                    RuleTable table = RuleTable.of(rules, parsed, newDefaultsAlone, faults);
                    stated.take("policy file " + config.file().get(), parsed);
                    return table;
                });
    }

    private static PolicyFaults logged(String path) {
        return (wrong, effect) -> LOG.warnf("%s=%s: %s; %s", KEY, path, wrong.getMessage(), effect);
    }

    /** Creates this bean at start, not at first use, so that a wrong file shows at once. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    /**
     * Checks a rule for something without an owner: rules that compare projects or users compare the caller with
     * itself.
     */
    public boolean allows(String rule, Caller caller) {
        return isInScope(caller) && rules().get(rule).holds(caller, Target.ownOf(caller));
    }

    /**
     * Checks a rule for something that belongs to a project.
     *
     * @param projectId the project of the target; null if it belongs to none
     */
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
