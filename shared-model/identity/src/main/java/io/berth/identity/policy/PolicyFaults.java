package io.berth.identity.policy;

/**
 * Receives the faults of a policy file that oslo.policy would tolerate. Depending on the configuration they are logged,
 * or the file is refused.
 */
interface PolicyFaults {
    PolicyFaults REFUSED = (wrong, effect) -> {
        throw wrong;
    };

    /**
     * Receives one fault.
     *
     * @param effect the meaning of the rule despite the fault
     */
    void note(RuleInvalid wrong, String effect);
}
