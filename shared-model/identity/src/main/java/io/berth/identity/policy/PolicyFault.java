package io.berth.identity.policy;

/**
 * A fault in a rule or in the policy file. {@link CheckParser} catches faults of checks, and reports them to {@link
 * PolicyFaults}. If that or any other code throws a fault, the file is refused: the start of the service ends, or at a
 * reload the previous rules stay in force. Has no stack trace.
 */
final class PolicyFault extends RuntimeException {
    private final String detail;
    private final int column;
    private final boolean isUnknown;

    /** @param column the column in the rule's text, from 1; 0 for the rule as a whole */
    PolicyFault(int column, String detail) {
        this(column, detail, false);
    }

    private PolicyFault(int column, String detail, boolean isUnknown) {
        super(detail, null, false, false);
        this.detail = detail;
        this.column = column;
        this.isUnknown = isUnknown;
    }

    /**
     * Returns the same fault, marked as the fault of a check that oslo.policy might evaluate, or might fail on ({@link
     * Check.Unknown}).
     */
    PolicyFault asUnknown() {
        return new PolicyFault(column, detail, true);
    }

    boolean isUnknown() {
        return isUnknown;
    }

    int column() {
        return column;
    }

    /** Returns the same fault with the rule's name and the column in the message. */
    PolicyFault inRule(String rule) {
        String position = column == 0 ? "rule " + rule : "rule " + rule + ", column " + column;
        return new PolicyFault(0, position + ": " + detail);
    }
}
