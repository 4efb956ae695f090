package io.berth.identity.policy;

/**
 * Receives those faults of a policy file that oslo.policy tolerates. An implementation logs the fault, or throws it to
 * refuse the file.
 */
interface PolicyFaults {
    /** Throws each fault, so that the file is refused. */
    PolicyFaults REFUSED = (fault, effect) -> {
        throw fault;
    };

    /**
     * Receives one fault.
     *
     * @param effect the meaning of the rule despite the fault
     */
    void note(RuleInvalid fault, String effect);
}
