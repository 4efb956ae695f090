package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * What an audit shall look at and do.
 *
 * @param kinds at least one
 * @param perKindMax findings of one kind, 1 to {@link #PER_KIND_MAX}
 * @param known null: consumers are not compared with anything
 */
record AuditRequest(Set<FindingKind> kinds, int perKindMax, @Nullable Known known, Apply apply) {
    static final int PER_KIND_DEFAULT = 1_000;
    static final int PER_KIND_MAX = 10_000;
    /** As many as a body of 16 MiB holds; a larger cloud is audited range by range. */
    static final int KNOWN_MAX = 400_000;
    /** A claim comes before whoever made it has written down what for. */
    static final int SETTLED_SECONDS_DEFAULT = 900;

    /** What can be looked for without a list of what there is. */
    static final Set<FindingKind> ALL_BUT_UNKNOWN =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(FindingKind.UNKNOWN_CONSUMER)));

    AuditRequest {
        kinds = Set.copyOf(kinds);
    }

    /** To look at everything that needs no list of consumers, and to change nothing. */
    static AuditRequest ofAll() {
        return new AuditRequest(ALL_BUT_UNKNOWN, PER_KIND_DEFAULT, null, new Apply.Nothing());
    }

    /**
     * The consumers that the caller knows.
     *
     * @param from first uuid of the range that the list covers; null: from the first
     * @param until the uuid that ends the range, itself not in it; null: to the last
     * @param settledSeconds consumers that changed less than this ago are left alone
     */
    record Known(UUID[] consumers, @Nullable UUID from, @Nullable UUID until, int settledSeconds) {}

    /** What is to be healed. */
    sealed interface Apply {
        record Nothing() implements Apply {}

        /**
         * All findings that an undo can put back, but for unknown consumers: a list that ended too early would free the
         * room of instances that run.
         */
        record All() implements Apply {}

        /** Those of a plan before; what has changed since is left alone. */
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
