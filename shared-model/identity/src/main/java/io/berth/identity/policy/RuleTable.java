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

    /**
     * The name of the rule that replaces a missing rule in references. If it is missing, too, such a reference never
     * holds.
     */
    private static final String DEFAULT = "default";

    /**
     * Returns the rules in force.
     *
     * @param fileRules rules of the operator's file, by name
     * @param ignoresDeprecated whether {@link DefaultRule#deprecatedDefault} is ignored
     * @param faults receives a rule or check that cannot be parsed, an operation that the service does not have, a
     *         reference to a missing rule, and rules that refer to each other in a circle; each fault names the rule
     */
    static RuleTable of(
            List<DefaultRule> defaults, Map<String, RuleDefinition> fileRules, boolean ignoresDeprecated,
            PolicyFaults faults) {
        Map<String, Check> parsed = new LinkedHashMap<>();
        for (DefaultRule rule : defaults) {
            Check check = CheckParser.parse(rule.check(), PolicyFaults.REFUSE);
            parsed.put(rule.name(), rule.deprecatedDefault() == null || ignoresDeprecated
                    ? check
                    : new Check.Any(List.of(check, CheckParser.parse(rule.deprecatedDefault(), PolicyFaults.REFUSE))));
        }
        fileRules.forEach((name, rule) -> {
            if (name.contains(":") && !parsed.containsKey(name)) {
                faults.report(new PolicyFault(0, "rule " + name + ": there is no such operation"), "it is ignored");
            }
            parsed.put(name, parseRule(rule, (fault, effect) -> faults.report(fault.inRule(name), effect)));
        });
        return new RuleTable(new Resolution(parsed, faults).resolveAll());
    }

    private static Check parseRule(RuleDefinition rule, PolicyFaults faults) {
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

    /** Replaces each reference by the check of the rule to which it refers. Resolves each rule once. */
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

        Map<String, Check> resolveAll() {
            parsed.forEach(this::resolve);
            return resolved;
        }

        private Check resolve(String name, Check parsed) {
            Check resolvedCheck = resolved.get(name);
            if (resolvedCheck != null) {
                return resolvedCheck;
            }
            path.put(name, true);
            Check check = resolveIn(name, parsed);
            path.remove(name);
            resolved.put(name, check);
            return check;
        }

        private Check resolveIn(String rule, Check check) {
            return switch (check) {
                case Check.Named named -> resolveReference(rule, named);
                case Check.Not not -> Check.not(resolveIn(rule, not.check()));
                case Check.All all ->
                    new Check.All(all.checks().stream().map(operand -> resolveIn(rule, operand)).toList());
                case Check.Any any ->
                    new Check.Any(any.checks().stream().map(operand -> resolveIn(rule, operand)).toList());
                case Check.Always _, Check.Never _, Check.Unknown _, Check.Role _, Check.Attribute _,
                        Check.Literal _ -> check;
            };
        }

        private Check resolveReference(String rule, Check.Named named) {
            String name = named.rule();
            Check check = parsed.get(name);
            if (check == null) {
                check = parsed.get(DEFAULT);
                boolean hasDefault = check != null;
                faults.report(
                        new PolicyFault(named.column(), "there is no rule " + name).inRule(rule),
                        hasDefault ? "it is replaced by rule " + DEFAULT : "it never holds");
                if (check == null) {
                    return new Check.Never();
                }
                name = DEFAULT;
            }
            if (path.containsKey(name)) {
                faults.report(
                        new PolicyFault(named.column(), "rule " + name + " refers back to this one, in a circle")
                                .inRule(rule),
                        "it never holds");
                // Unknown, so that the negation of the reference does not hold either.
                return new Check.Unknown();
            }
            return resolve(name, check);
        }
    }
}
