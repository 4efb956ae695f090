package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Locale;

/**
 * The kinds of findings. They are healed in this order, except {@link #ALLOCATION_WITHOUT_CONSUMER}, which is healed
 * first ({@link HealingStore#insertConsumers}).
 */
enum FindingKind {
    USED_DIFFERS(Cure.RESTORABLE, "Healing sets the counter to the sum of the allocations."),
    ALLOCATION_WITHOUT_CONSUMER(Cure.RESTORABLE,
            "Healing inserts the consumer, with the project of incomplete consumers; no allocation is released."),
    UNKNOWN_CONSUMER(Cure.RESTORABLE,
            "Healing deletes the consumer and releases its allocations. "
                    + "Check first that known_consumers has both instances and migrations."),
    EMPTY_CONSUMER(Cure.RESTORABLE, "Healing deletes the consumer, which has no allocations."),
    ALLOCATION_WITHOUT_PROVIDER(Cure.RESTORABLE,
            "Healing deletes the allocations, because their resource provider does not exist."),
    WRONG_ROOT(Cure.RESTORABLE,
            "Healing sets the root that the parents lead to. "
                    + "Until then, no response but this one has the provider."),
    TRAIT_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    AGGREGATE_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    INVENTORY_WITHOUT_PROVIDER(Cure.FINAL, "Healing deletes the row; the database's keys will not accept it again."),
    MEMORY_DIFFERS(Cure.FINAL,
            "Healing makes every replica reload the fleet. The likely cause is a write that bypassed the service."),
    OVER_CAPACITY(Cure.NONE, "Move or delete consumers, or raise the inventory; the audit releases no allocations."),
    ALLOCATION_WITHOUT_INVENTORY(Cure.NONE,
            "Give the provider the inventory again, or delete the consumer's allocations."),
    PARENT_LOOP(Cure.NONE, "The parents lead to no root, so that no response but this one has the provider: "
            + "set the right parent with PUT /resource_providers/{uuid}."),
    GENERATION_OUT_OF_RANGE(Cure.NONE,
            "The generation is negative, or so large that writes will soon fail: correct the row with SQL.");

    /** The ways to heal a finding. */
    enum Cure {
        /** Can be healed, and an undo can restore the previous rows. */
        RESTORABLE,
        /**
         * Can be healed, but only if the request names the finding's id, because no undo can restore the state before.
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

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind with this name in JSON; null for an unknown name. */
    static @Nullable FindingKind find(String wire) {
        return Arrays.stream(values()).filter(kind -> kind.wireName().equals(wire)).findFirst().orElse(null);
    }
}
