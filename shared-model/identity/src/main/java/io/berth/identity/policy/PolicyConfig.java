package io.berth.identity.policy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/**
 * Configures the policy, which decides what callers may do. An unknown key under {@code berth.policy} stops the start.
 */
@ConfigMapping(prefix = "berth.policy")
public interface PolicyConfig {
    /**
     * Path of a policy file, in oslo.policy's YAML, whose rules override the defaults. The file is read again when it
     * changes.
     */
    Optional<String> file();

    /**
     * Refuses a policy file with a fault that oslo.policy tolerates, such as an unknown operation or an invalid rule.
     * If false, each such fault is logged and has the effect that it has in oslo.policy, usually "deny". A file on
     * which oslo.policy would fail is always refused.
     */
    @WithDefault("false")
    boolean strict();

    /**
     * Ignores upstream's deprecated default rules. If false, a caller whom a deprecated default admits is admitted,
     * too, unless the policy file sets the rule.
     */
    @WithDefault("false")
    boolean enforceNewDefaults();

    /**
     * Refuses callers whose token is scoped to the system or to a domain, because every operation is for project-scoped
     * tokens.
     */
    @WithDefault("true")
    boolean enforceScope();
}
