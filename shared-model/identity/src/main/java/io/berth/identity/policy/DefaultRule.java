package io.berth.identity.policy;

import jakarta.annotation.Nullable;

/**
 * A rule's default.
 *
 * @param before upstream's deprecated default, which suffices, too, unless only the new defaults are enforced or a file
 *         sets the rule; null if there is none
 */
public record DefaultRule(String name, String check, @Nullable String before) {
    public static DefaultRule of(String name, String check) {
        return new DefaultRule(name, check, null);
    }
}
