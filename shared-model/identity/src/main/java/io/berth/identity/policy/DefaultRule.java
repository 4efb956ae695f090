package io.berth.identity.policy;

import jakarta.annotation.Nullable;

/**
 * A rule as it is without a file.
 *
 * @param before what upstream's rule was before its present default: it suffices too, unless the new defaults alone are
 *     enforced or a file states the rule; null when there is none
 */
public record DefaultRule(String name, String check, @Nullable String before) {
    public static DefaultRule of(String name, String check) {
        return new DefaultRule(name, check, null);
    }
}
