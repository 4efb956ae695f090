package io.berth.identity.policy;

/**
 * Receives those faults of a policy file that oslo.policy tolerates. An implementation logs the fault, or throws it to
 * refuse the file.
 */
interface PolicyFaults {
    /** Throws each fault, so that the file is refused. */
    PolicyFaults REFUSE = (fault, effect) -> {
        throw fault;
    };

    /**
     * Receives one fault.
     *
     * @param effect the effect of the fault if the file is not refused, as the end of a message, such as "it never
     *         holds"
     */
    void report(PolicyFault fault, String effect);
}
