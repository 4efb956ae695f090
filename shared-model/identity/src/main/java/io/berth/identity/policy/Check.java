package io.berth.identity.policy;

import io.berth.identity.Caller;
import java.util.List;

/** A condition on a caller and the target of its request. Source: the checks of oslo.policy ({@code _checks.py}). */
sealed interface Check {
    boolean holds(Caller caller, Target target);

    /**
     * Returns whether this check is or contains an {@link Unknown} check, so that {@link #holds} may be false only
     * because Berth cannot evaluate it. A reference ({@link Named}) is not unknown; {@link RuleTable} resolves it
     * first.
     */
    default boolean isUnknown() {
        return switch (this) {
            case Unknown _ -> true;
            case Not not -> not.check().isUnknown();
            case All all -> all.checks().stream().anyMatch(Check::isUnknown);
            case Any any -> any.checks().stream().anyMatch(Check::isUnknown);
            case Always _, Never _, Role _, Attribute _, Literal _, Named _ -> false;
        };
    }

    /**
     * Returns the negation of a check. The negation of an {@linkplain #isUnknown unknown} check is unknown, too, so
     * that it does not hold either.
     */
    static Check not(Check check) {
        return check.isUnknown() ? new Unknown() : new Not(check);
    }

    /** {@code @} and the empty rule: always holds. */
    record Always() implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            return true;
        }
    }

    /** {@code !}: never holds. */
    record Never() implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            return false;
        }
    }

    /**
     * A check that oslo.policy supports and Berth does not, or on which oslo.policy fails. Neither the check nor its
     * negation holds: see {@link #not}.
     */
    record Unknown() implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            return false;
        }
    }

    /** {@code role:x}: the caller must have the role. Case is ignored; a caller's roles are in lower case. */
    record Role(TargetText role) implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            String required = role.lowerCase(target);
            return required != null && caller.roles().contains(required);
        }
    }

    /** An attribute of the caller must equal the text, as in {@code project_id:%(project_id)s}. */
    record Attribute(CallerAttribute attribute, TargetText match) implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            String required = match.text(target);
            return required != null && required.equals(attribute.textOf(caller));
        }
    }

    /** {@code 'a':%(project_id)s}: a literal must equal the text. */
    record Literal(String literal, TargetText match) implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            return literal.equals(match.text(target));
        }
    }

    /**
     * {@code rule:x}, a reference to rule x. {@link RuleTable} replaces all references before a check is evaluated.
     *
     * @param column the column of the rule's name in the text, from 1
     */
    record Named(String rule, int column) implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            throw new IllegalStateException("rule:" + rule + " was not resolved");
        }
    }

    /** {@code not}: the check must not hold. */
    record Not(Check check) implements Check {
        @Override
        public boolean holds(Caller caller, Target target) {
            return !check.holds(caller, target);
        }
    }

    /** {@code and}: all checks must hold. */
    record All(List<Check> checks) implements Check {
        public All {
            checks = List.copyOf(checks);
        }

        @Override
        public boolean holds(Caller caller, Target target) {
            for (int i = 0; i < checks.size(); i++) {
                if (!checks.get(i).holds(caller, target)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@code or}: at least one check must hold. */
    record Any(List<Check> checks) implements Check {
        public Any {
            checks = List.copyOf(checks);
        }

        @Override
        public boolean holds(Caller caller, Target target) {
            for (int i = 0; i < checks.size(); i++) {
                if (checks.get(i).holds(caller, target)) {
                    return true;
                }
            }
            return false;
        }
    }
}
