package io.berth.identity.policy;

/** A rule that cannot be understood: ends the start of the service, or the reload. Carries no stack trace. */
final class RuleInvalid extends RuntimeException {
    private final int column;

    /** @param column in the rule's text, from 1; 0 for the rule as a whole */
    RuleInvalid(int column, String detail) {
        super(detail, null, false, false);
        this.column = column;
    }

    int column() {
        return column;
    }

    RuleInvalid inRule(String rule) {
        String where = column == 0 ? "rule " + rule : "rule " + rule + ", column " + column;
        return new RuleInvalid(0, where + ": " + getMessage());
    }
}
