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
 * whose rules take precedence. A caller whose token is scoped to the system or to a domain may use none, unless {@code
 * berth.policy.enforce-scope} is false.
 *
 * <p>The bean is application scoped, that is, injected as a proxy, because it depends on the runtime configuration,
 * which is not yet known when request filters are created.
 */
@ApplicationScoped
public class Policy {
    private static final Logger LOG = Logger.getLogger(Policy.class);
    private static final String KEY = "berth.policy.file";
    /**
     * The priority among the observers of {@link StartupEvent}: lower ones run first, and most have the default, 2500.
     */
    private static final int EARLY = -10;

    private final boolean isScopeEnforced;
    private final Supplier<RuleTable> rules;

    /** Receives the changed rules of a reloaded file. */
    @FunctionalInterface
    interface RuleChangeListener {
        /**
         * Called for each changed rule.
         *
         * @param what name of the rule and of the file
         * @param old the previous text of the rule; empty if the file did not have it
         * @param now the new text of the rule; empty if the file no longer has it
         */
        void fileChanged(String what, String old, String now);
    }

    @Inject
    Policy(PolicyDefaults defaults, PolicyConfig config, Vertx vertx, ChangeLog changes) {
        this(defaults, config, vertx, changes::fileChanged);
    }

    Policy(PolicyDefaults defaults, PolicyConfig config, Vertx vertx, RuleChangeListener changes) {
        FileRules fileRules = new FileRules(changes);
        List<DefaultRule> defaultRules = defaults.rules();
        boolean ignoresDeprecated = config.enforceNewDefaults();
        this.isScopeEnforced = config.enforceScope();
        if (config.file().isEmpty()) {
            RuleTable defaultTable = RuleTable.of(defaultRules, Map.of(), ignoresDeprecated, PolicyFaults.REFUSE);
            this.rules = () -> defaultTable;
            return;
        }
        WatchedFile<RuleTable> file = WatchedFile.open(
                vertx, KEY, config.file().get(),
                text -> {
                    PolicyFaults faults = config.strict() ? PolicyFaults.REFUSE : logFaults(config.file().get());
                    Map<String, RuleDefinition> parsed = PolicyFile.parse(text, faults);
                    RuleTable table = RuleTable.of(defaultRules, parsed, ignoresDeprecated, faults);
                    fileRules.reportChanges("policy file " + config.file().get(), parsed);
                    return table;
                });
        this.rules = file::current;
    }

    private static PolicyFaults logFaults(String path) {
        return (fault, effect) -> LOG.warnf("%s=%s: %s; %s", KEY, path, fault.getMessage(), effect);
    }

    /** Creates this bean at start, so that an invalid policy file stops the start. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    /**
     * Returns whether the caller may use an operation on an object that belongs to no project. The target of the rule
     * then has the caller's own project and user, so that a comparison with them holds if the caller has them.
     *
     * @param rule name of a rule of {@link PolicyDefaults}; an unknown name throws IllegalArgumentException
     */
    public boolean allows(String rule, Caller caller) {
        return isInScope(caller) && rules().get(rule).holds(caller, Target.ownOf(caller));
    }

    /**
     * Returns whether the caller may use an operation on an object that belongs to a project and to no user. No check
     * that compares users holds.
     *
     * @param rule name of a rule of {@link PolicyDefaults}; an unknown name throws IllegalArgumentException
     * @param projectId the project of the object; null if it belongs to none, and then no check that compares projects
     *         holds
     */
    public boolean allows(String rule, Caller caller, @Nullable String projectId) {
        return isInScope(caller) && rules().get(rule).holds(caller, new Target(projectId, null));
    }

    private boolean isInScope(Caller caller) {
        return !isScopeEnforced || (!caller.systemScoped() && caller.domainId() == null);
    }

    private RuleTable rules() {
        return rules.get();
    }
}
