package io.berth.deploy.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The state of one instance: its allocations, its registered host, and the allocations of its migrations.
 *
 * @param held provider to resource class to amount; empty for nothing
 * @param registered host, null for none
 * @param migrations its migrations by uuid
 */
record InstanceState(Map<UUID, Map<String, Long>> held, UUID registered, Map<UUID, Migration> migrations) {
    static final InstanceState NOTHING = new InstanceState(Map.of(), null, Map.of());

    /**
     * One completed move.
     *
     * @param held the allocations of the migration
     * @param before the instance's allocations before the move
     * @param after the instance's allocations after the move
     * @param registeredBefore the registered host before the move, null for none
     */
    record Migration(
            Command.Kind kind,
            Map<UUID, Map<String, Long>> held,
            Map<UUID, Map<String, Long>> before,
            Map<UUID, Map<String, Long>> after,
            UUID registeredBefore,
            boolean isReverted) {
        Migration holding(Map<UUID, Map<String, Long>> now) {
            return new Migration(kind, now, before, after, registeredBefore, isReverted);
        }

        Migration reverted() {
            return new Migration(kind, Map.of(), before, after, registeredBefore, true);
        }
    }

    boolean isPlaced() {
        return !held.isEmpty();
    }

    InstanceState holding(Map<UUID, Map<String, Long>> now) {
        return new InstanceState(now, registered, migrations);
    }

    InstanceState registered(UUID host) {
        return new InstanceState(held, host, migrations);
    }

    InstanceState with(UUID migration, Migration move) {
        Map<UUID, Migration> all = new HashMap<>(migrations);
        all.put(migration, move);
        return new InstanceState(held, registered, Map.copyOf(all));
    }

    /**
     * Returns true if the tables have this state. An instance without allocations may still be registered on its last
     * host.
     */
    boolean isAs(Observed observed, UUID instance) {
        return holdsAsIn(observed, instance)
                && (observed.isRegistered(instance, registered)
                        || held.isEmpty() && observed.isRegistered(instance, null));
    }

    /** Returns true if placement's tables have these allocations of the instance and of its migrations. */
    boolean holdsAsIn(Observed observed, UUID instance) {
        return held.equals(observed.heldBy(instance))
                && migrations.entrySet().stream()
                        .allMatch(each -> each.getValue().held().equals(observed.heldBy(each.getKey())));
    }

    /** Returns the state found in the tables, with the known moves. */
    InstanceState seen(Observed observed, UUID instance) {
        Map<UUID, Migration> all = new HashMap<>();
        migrations.forEach((uuid, each) -> all.put(uuid, each.holding(observed.heldBy(uuid))));
        return new InstanceState(observed.heldBy(instance), observed.hostOf(instance), Map.copyOf(all));
    }
}
