package io.berth.identity.policy;

/**
 * Receives the faults of a policy file that oslo.policy would tolerate: an operator wants to know them, and may want
 * the file refused.
 */
interface PolicyFaults {
    PolicyFaults REFUSED = (wrong, effect) -> {
        throw wrong;
    };

    /** @param effect what the rule means nevertheless */
    void note(RuleInvalid wrong, String effect);
}
