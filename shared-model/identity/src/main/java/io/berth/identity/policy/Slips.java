package io.berth.identity.policy;

/**
 * Takes what is wrong in a policy file that oslo.policy serves with all the same: an operator wants to know, and may want
 * the file refused.
 */
interface Slips {
    Slips REFUSED = (wrong, effect) -> {
        throw wrong;
    };

    /** @param effect what the rule means nevertheless */
    void note(RuleInvalid wrong, String effect);
}
