package io.berth.identity.policy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Configures the policy. An unknown key under {@code berth.policy} stops the start. */
@ConfigMapping(prefix = "berth.policy")
public interface PolicyConfig {
    /** Path of a file that overrides rules; oslo.policy's YAML. Read again when it changes. */
    Optional<String> file();

    /**
     * Refuses a policy file with unknown operations or invalid rules. Otherwise these have the meaning that oslo.policy
     * gives them, usually "deny", with a line in the log.
     */
    @WithDefault("false")
    boolean strict();

    /** If true, the rules from before the secure defaults no longer count in addition to them. */
    @WithDefault("false")
    boolean enforceNewDefaults();

    /** Refuses callers whose token is for the system or a domain: every operation belongs to projects. */
    @WithDefault("true")
    boolean enforceScope();
}
