package io.berth.scheduler.move;

import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The kind of a move.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py} (rebuild_instance, unshelve_instance).
 */
public enum MoveKind implements WireNamed {
    RESIZE(true, true),
    COLD(true, true),
    LIVE(true, false),
    EVACUATE(false, false),
    UNSHELVE(false, false);

    private final boolean migrationHoldsSource;
    private final boolean alternates;

    MoveKind(boolean handsOver, boolean alternates) {
        this.migrationHoldsSource = handsOver;
        this.alternates = alternates;
    }

    /**
     * Returns whether the migration holds the source's allocations until the move is confirmed. If not, the instance
     * itself holds the allocations on the target and those on the source, if it had a source.
     */
    public boolean migrationHoldsSource() {
        return migrationHoldsSource;
    }

    /** Returns the consumer that holds the source's allocations until the move is confirmed. */
    public UUID sourceHolder(UUID instance, UUID migration) {
        return migrationHoldsSource ? migration : instance;
    }

    /** Returns how a claim of the target treats the allocations on the source. */
    ClaimWrite claimWrite(UUID migration) {
        return migrationHoldsSource ? new ClaimWrite.HandOver(migration) : new ClaimWrite.Add();
    }

    /** Returns whether the response includes alternates. */
    public boolean wantsAlternates() {
        return alternates;
    }

    /** Returns whether the instance leaves a host; a shelved instance has none. */
    public boolean leavesSource() {
        return this != UNSHELVE;
    }

    /** Returns the wire names of all kinds, sorted. */
    public static Set<String> wireNames() {
        return Arrays.stream(values()).map(MoveKind::wireName).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns the kind with this wire name.
     *
     * @throws IllegalArgumentException for an unknown name
     */
    public static MoveKind of(String wireName) {
        MoveKind kind = find(wireName);
        if (kind == null) {
            throw new IllegalArgumentException("no kind of move: " + wireName);
        }
        return kind;
    }

    /** Returns the kind with this wire name; null for an unknown name. */
    public static @Nullable MoveKind find(String wireName) {
        return WireNamed.find(values(), wireName);
    }
}
