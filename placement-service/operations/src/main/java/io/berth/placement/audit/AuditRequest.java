package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * The parameters of an audit.
 *
 * @param kinds the kinds to look for, at least one
 * @param perKindMax the most findings of one kind that are listed or healed, 1 to {@link #PER_KIND_MAX}
 * @param known the consumers that exist; must not be null if {@code kinds} contains {@link
 *         FindingKind#UNKNOWN_CONSUMER}
 * @param apply selects the findings to heal
 */
record AuditRequest(Set<FindingKind> kinds, int perKindMax, @Nullable KnownConsumers known, Apply apply) {
    static final int PER_KIND_DEFAULT = 1_000;
    static final int PER_KIND_MAX = 10_000;
    /**
     * The most known consumers in one request, about as many as a body of 16 MiB can list. A client with more sends one
     * request for each range of uuids.
     */
    static final int KNOWN_MAX = 400_000;
    /**
     * The default number of seconds for which an unknown consumer must have been unchanged to be reported. A younger
     * consumer may belong to an instance that the client claims for and has not recorded yet.
     */
    static final int SETTLED_SECONDS_DEFAULT = 900;

    /** The kinds that need no list of known consumers. */
    static final Set<FindingKind> ALL_BUT_UNKNOWN =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(FindingKind.UNKNOWN_CONSUMER)));

    AuditRequest {
        kinds = Set.copyOf(kinds);
    }

    /** Returns a request that lists findings of every kind that needs no list of known consumers, and heals nothing. */
    static AuditRequest ofAll() {
        return new AuditRequest(ALL_BUT_UNKNOWN, PER_KIND_DEFAULT, null, new Apply.Nothing());
    }

    /**
     * The consumers that exist according to the client.
     *
     * @param from the first uuid, inclusive, of the range that the list covers; null if the range has no lower end.
     *         Consumers outside the range are not reported
     * @param until the end of the range, exclusive; null if the range has no upper end
     * @param settledSeconds seconds for which a consumer must have been unchanged to be reported
     */
    record KnownConsumers(UUID[] consumers, @Nullable UUID from, @Nullable UUID until, int settledSeconds) {}

    /** Selects the findings to heal. */
    sealed interface Apply {
        /** Heals nothing. */
        record Nothing() implements Apply {}

        /**
         * Heals all findings whose healing can be undone, except unknown consumers: with a truncated list of known
         * consumers, their healing would release the allocations of running instances.
         */
        record All() implements Apply {}

        /**
         * Heals the findings with these ids, which an earlier plan listed. Skips a finding that has changed since that
         * plan, or that has no cure.
         */
        record Only(Set<String> ids) implements Apply {
            public Only {
                ids = Set.copyOf(ids);
            }
        }

        /** Returns whether the finding is to be healed. A finding without a cure never is. */
        default boolean selects(Finding finding) {
            return switch (this) {
                case Nothing nothing -> false;
                case All all -> ALL_BUT_UNKNOWN.contains(finding.kind())
                        && finding.kind().cure() == FindingKind.Cure.RESTORABLE;
                case Only only -> finding.kind().cure() != FindingKind.Cure.NONE && only.ids().contains(finding.id());
            };
        }
    }
}
