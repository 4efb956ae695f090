package io.berth.identity.policy;

import jakarta.annotation.Nullable;

/**
 * The default of a rule, which a policy file may override.
 *
 * @param name name of the operation, or of a rule to which other rules refer
 * @param check the rule in the language of oslo.policy
 * @param deprecatedDefault upstream's deprecated default; null if there is none. The deprecated default admits a caller
 *         in addition to {@code check}, unless {@code berth.policy.enforce-new-defaults} is set or a policy file sets
 *         the rule
 */
public record DefaultRule(String name, String check, @Nullable String deprecatedDefault) {
    public static DefaultRule of(String name, String check) {
        return new DefaultRule(name, check, null);
    }
}
