package io.berth.identity.policy;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** The rules of the last valid version of a policy file, for the report of changed rules. */
final class FileRules {
    private final Policy.RuleChangeListener changes;
    private @Nullable Map<String, RuleDefinition> lastRules;

    FileRules(Policy.RuleChangeListener changes) {
        this.changes = changes;
    }

    /**
     * Reports the rules that differ from the previous version, and keeps the new ones. Reports none for the first
     * version.
     *
     * @param file description of the file, for the report
     */
    synchronized void reportChanges(String file, Map<String, RuleDefinition> newRules) {
        if (lastRules != null) {
            TreeSet<String> names = new TreeSet<>(lastRules.keySet());
            names.addAll(newRules.keySet());
            names.removeIf(name -> Objects.equals(lastRules.get(name), newRules.get(name)));
            names.forEach(name -> changes.fileChanged(
                    "rule " + name + " of the " + file, text(lastRules.get(name)), text(newRules.get(name))));
        }
        lastRules = Map.copyOf(newRules);
    }

    private static String text(@Nullable RuleDefinition rule) {
        return switch (rule) {
            case null -> "";
            case RuleDefinition.Text(String text) -> '"' + text + '"';
            case RuleDefinition.AnyOf(var lists) -> lists.toString();
        };
    }
}
