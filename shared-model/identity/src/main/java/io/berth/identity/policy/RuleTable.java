package io.berth.identity.policy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All rules in force, each with its references replaced by what they refer to. Immutable. */
record RuleTable(Map<String, Check> checks) {
    RuleTable {
        checks = Map.copyOf(checks);
    }

    /**
     * @param stated rules of the operator's file: name to text
     * @param newDefaultsAlone whether {@link DefaultRule#before} no longer counts
     * Throws {@link RuleInvalid} naming the rule for one that cannot be read, for an operation that is not ours, for a
     *     reference to a rule that does not exist and for rules that refer to each other in a circle.
     */
    static RuleTable of(List<DefaultRule> defaults, Map<String, String> stated, boolean newDefaultsAlone) {
        Map<String, Check> parsed = new LinkedHashMap<>();
        for (DefaultRule rule : defaults) {
            Check check = parsed(rule.name(), rule.check());
            parsed.put(rule.name(), rule.before() == null || newDefaultsAlone
                    ? check
                    : new Check.Any(List.of(check, parsed(rule.name(), rule.before()))));
        }
        stated.forEach((name, text) -> {
            if (name.contains(":") && !parsed.containsKey(name)) {
                throw new RuleInvalid(0, "rule " + name + ": there is no such operation");
            }
            parsed.put(name, parsed(name, text));
        });
        return new RuleTable(new Resolution(parsed).all());
    }

    private static Check parsed(String name, String text) {
        try {
            return CheckParser.parse(text);
        } catch (RuleInvalid wrong) {
            throw wrong.inRule(name);
        }
    }

    /** Throws for a name that is no rule of the service: that is a bug of the caller. */
    Check get(String rule) {
        Check check = checks.get(rule);
        if (check == null) {
            throw new IllegalArgumentException("no rule " + rule);
        }
        return check;
    }

    /** Replaces references, each rule once. */
    private static final class Resolution {
        private final Map<String, Check> parsed;
        private final Map<String, Check> resolved = new HashMap<>();
        /** Rules being resolved, in order. */
        private final LinkedHashMap<String, Boolean> path = new LinkedHashMap<>();

        Resolution(Map<String, Check> parsed) {
            this.parsed = parsed;
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
                case Check.Not not -> new Check.Not(within(rule, not.check()));
                case Check.All all -> new Check.All(all.checks().stream().map(one -> within(rule, one)).toList());
                case Check.Any any -> new Check.Any(any.checks().stream().map(one -> within(rule, one)).toList());
                case Check.Always _, Check.Never _, Check.Role _, Check.Attribute _, Check.Literal _ -> check;
            };
        }

        private Check referred(String rule, Check.Named named) {
            if (!parsed.containsKey(named.rule())) {
                throw new RuleInvalid(named.column(), "there is no rule " + named.rule()).inRule(rule);
            }
            if (path.containsKey(named.rule())) {
                throw new RuleInvalid(named.column(), "rule " + named.rule() + " refers back to this one, in a circle")
                        .inRule(rule);
            }
            return rule(named.rule());
        }
    }
}
