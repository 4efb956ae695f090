package io.berth.identity.policy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rules in force by name, with references between rules resolved. Immutable. */
record RuleTable(Map<String, Check> checks) {
    RuleTable {
        checks = Map.copyOf(checks);
    }

    /** The name of the rule that a reference to a missing rule uses, if a rule of this name exists. */
    private static final String DEFAULT = "default";

    /**
     * Returns the rules in force.
     *
     * @param stated rules of the operator's file, by name
     * @param newDefaultsAlone whether {@link DefaultRule#deprecatedDefault} is ignored
     * @param faults receives a rule that cannot be parsed, an operation that the service does not have, a reference to
     *         a missing rule, and rules that refer to each other in a circle; each fault names the rule
     */
    static RuleTable of(
            List<DefaultRule> defaults, Map<String, RuleDefinition> stated, boolean newDefaultsAlone,
            PolicyFaults faults) {
        Map<String, Check> parsed = new LinkedHashMap<>();
        for (DefaultRule rule : defaults) {
            Check check = CheckParser.parse(rule.check(), PolicyFaults.REFUSED);
            parsed.put(rule.name(), rule.deprecatedDefault() == null || newDefaultsAlone
                    ? check
                    : new Check.Any(List.of(check, CheckParser.parse(rule.deprecatedDefault(), PolicyFaults.REFUSED))));
        }
        stated.forEach((name, rule) -> {
            if (name.contains(":") && !parsed.containsKey(name)) {
                faults.note(new RuleInvalid(0, "rule " + name + ": there is no such operation"), "it is ignored");
            }
            parsed.put(name, parsed(rule, (wrong, effect) -> faults.note(wrong.inRule(name), effect)));
        });
        return new RuleTable(new Resolution(parsed, faults).all());
    }

    private static Check parsed(RuleDefinition rule, PolicyFaults faults) {
        return switch (rule) {
            case RuleDefinition.Text text -> CheckParser.parse(text.text(), faults);
            case RuleDefinition.AnyOf lists -> CheckParser.parse(lists, faults);
        };
    }

    /**
     * Returns the check of a rule. Throws IllegalArgumentException if no rule has the name, which is a bug of the
     * caller.
     */
    Check get(String rule) {
        Check check = checks.get(rule);
        if (check == null) {
            throw new IllegalArgumentException("no rule " + rule);
        }
        return check;
    }

    /** Replaces references to rules by the checks of these rules. Resolves each rule once. */
    private static final class Resolution {
        private final Map<String, Check> parsed;
        private final PolicyFaults faults;
        private final Map<String, Check> resolved = new HashMap<>();
        /**
         * The names of the rules that are being resolved, from the outermost to the innermost, to detect circles.
         * Values are unused.
         */
        private final LinkedHashMap<String, Boolean> path = new LinkedHashMap<>();

        Resolution(Map<String, Check> parsed, PolicyFaults faults) {
            this.parsed = parsed;
            this.faults = faults;
        }

        Map<String, Check> all() {
            parsed.keySet().forEach(this::rule);
            return resolved;
        }

        private Check rule(String name) {
            Check known = resolved.get(name);
            if (known != null) {
                return known;
            }
            path.put(name, true);
            Check check = within(name, parsed.get(name));
            path.remove(name);
            resolved.put(name, check);
            return check;
        }

        private Check within(String rule, Check check) {
            return switch (check) {
                case Check.Named named -> referred(rule, named);
                case Check.Not not -> Check.not(within(rule, not.check()));
                case Check.All all -> new Check.All(all.checks().stream().map(one -> within(rule, one)).toList());
                case Check.Any any -> new Check.Any(any.checks().stream().map(one -> within(rule, one)).toList());
                case Check.Always _, Check.Never _, Check.Unknown _, Check.Role _, Check.Attribute _,
                        Check.Literal _ -> check;
            };
        }

        private Check referred(String rule, Check.Named named) {
            String name = named.rule();
            if (!parsed.containsKey(name)) {
                boolean hasDefault = parsed.containsKey(DEFAULT);
                faults.note(
                        new RuleInvalid(named.column(), "there is no rule " + name).inRule(rule),
                        hasDefault ? "it is replaced by rule " + DEFAULT : "it never holds");
                if (!hasDefault) {
                    return new Check.Never();
                }
                name = DEFAULT;
            }
            if (path.containsKey(name)) {
                faults.note(
                        new RuleInvalid(named.column(), "rule " + name + " refers back to this one, in a circle")
                                .inRule(rule),
                        "it never holds");
                return new Check.Unknown();
            }
            return rule(name);
        }
    }
}
