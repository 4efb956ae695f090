package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * The parameters of an audit.
 *
 * @param kinds at least one
 * @param perKindMax findings of one kind, 1 to {@link #PER_KIND_MAX}
 * @param known the consumers that exist; null if consumers are not compared
 */
record AuditRequest(Set<FindingKind> kinds, int perKindMax, @Nullable KnownConsumers known, Apply apply) {
    static final int PER_KIND_DEFAULT = 1_000;
    static final int PER_KIND_MAX = 10_000;
    /** The most consumers that a body of 16 MiB can list; a larger cloud is audited range by range. */
    static final int KNOWN_MAX = 400_000;
    /**
     * The default age in seconds from which unknown consumers are reported. A younger one may be that of a claim whose
     * owner has not recorded the instance yet.
     */
    static final int SETTLED_SECONDS_DEFAULT = 900;

    /** The kinds that need no list of consumers. */
    static final Set<FindingKind> ALL_BUT_UNKNOWN =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(FindingKind.UNKNOWN_CONSUMER)));

    AuditRequest {
        kinds = Set.copyOf(kinds);
    }

    /** Returns an audit for every kind that needs no list of consumers, without healing. */
    static AuditRequest ofAll() {
        return new AuditRequest(ALL_BUT_UNKNOWN, PER_KIND_DEFAULT, null, new Apply.Nothing());
    }

    /**
     * The consumers that exist according to the client.
     *
     * @param from first uuid of the range that the list covers; null if it covers the first consumers
     * @param until the uuid that ends the range, exclusive; null if it covers the last consumers
     * @param settledSeconds seconds for which a consumer must not have changed; others are ignored
     */
    record KnownConsumers(UUID[] consumers, @Nullable UUID from, @Nullable UUID until, int settledSeconds) {}

    /** The findings that are to be healed. */
    sealed interface Apply {
        record Nothing() implements Apply {}

        /**
         * Heals all findings that an undo can restore, except unknown consumers: a truncated list of consumers would
         * release the allocations of running instances.
         */
        record All() implements Apply {}

        /** Heals the named findings of an earlier plan; one that has changed since is skipped. */
        record Only(Set<String> ids) implements Apply {
            public Only {
                ids = Set.copyOf(ids);
            }
        }

        default boolean covers(Finding finding) {
            return switch (this) {
                case Nothing nothing -> false;
                case All all -> ALL_BUT_UNKNOWN.contains(finding.kind())
                        && finding.kind().cure() == FindingKind.Cure.RESTORABLE;
                case Only only -> finding.kind().cure() != FindingKind.Cure.NONE && only.ids().contains(finding.id());
            };
        }
    }
}
