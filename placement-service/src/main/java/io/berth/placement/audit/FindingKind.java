package io.berth.placement.audit;

import java.util.Arrays;
import java.util.Locale;

/** The kinds of findings, in the order in which they are healed. */
enum FindingKind {
    USED_DIFFERS(Cure.RESTORABLE, "Healing sets the counter to the sum of the allocations."),
    ALLOCATION_WITHOUT_CONSUMER(Cure.RESTORABLE,
            "Healing gives the allocations a consumer of the incomplete consumers' project; nothing is freed."),
    UNKNOWN_CONSUMER(Cure.RESTORABLE,
            "Healing deletes the consumer and frees what it holds. "
                    + "Be sure that the list has instances and migrations alike."),
    EMPTY_CONSUMER(Cure.RESTORABLE, "Healing deletes the consumer, which holds nothing."),
    ALLOCATION_WITHOUT_PROVIDER(Cure.RESTORABLE,
            "Healing deletes the allocations: there is nothing that they take from."),
    WRONG_ROOT(Cure.RESTORABLE,
            "Healing sets the root that the parents lead to. Until then the trees concerned are in no other answer."),
    TRAIT_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    AGGREGATE_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    INVENTORY_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    MEMORY_DIFFERS(Cure.FINAL, "Healing makes every replica reload the fleet; a write bypassed the service."),
    OVER_CAPACITY(Cure.NONE, "Move or delete consumers, or raise the inventory; the audit releases no allocations."),
    ALLOCATION_WITHOUT_INVENTORY(Cure.NONE,
            "Give the provider the inventory again, or delete the consumer's allocations."),
    PARENT_LOOP(Cure.NONE, "No root can be reached, and until then the provider is in no other answer: "
            + "set the right parent with PUT /resource_providers/{uuid}."),
    GENERATION_OUT_OF_RANGE(Cure.NONE,
            "Below 0 or near the end of the range: restore the row by hand, writers wait meanwhile.");

    /** The ways to heal a finding. */
    enum Cure {
        /** Can be healed, and an undo can restore the previous rows. */
        RESTORABLE,
        /**
         * Can be healed, but only if the request names the finding's id, because no undo can restore the previous rows.
         */
        FINAL,
        /** Is only reported; an operator must fix the cause. */
        NONE
    }

    private final Cure cure;
    private final String advice;

    FindingKind(Cure cure, String advice) {
        this.cure = cure;
        this.advice = advice;
    }

    Cure cure() {
        return cure;
    }

    String advice() {
        return advice;
    }

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind with this name in JSON; null for an unknown name. */
    static FindingKind find(String wire) {
        return Arrays.stream(values()).filter(kind -> kind.wire().equals(wire)).findFirst().orElse(null);
    }
}
