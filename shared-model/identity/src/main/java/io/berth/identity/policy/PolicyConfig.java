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
     * Refuses a policy file with unknown operations or rules that cannot be understood, which else mean what they mean to
     * oslo.policy: mostly no, with a line in the log.
     */
    @WithDefault("false")
    boolean strict();

    /** Whether the rules from before the secure defaults no longer count in addition to them. */
    @WithDefault("false")
    boolean enforceNewDefaults();

    /** Refuses callers whose token is for the system or a domain: every operation belongs to projects. */
    @WithDefault("true")
    boolean enforceScope();
}
