package io.berth.deploy.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The content of both services' tables at one moment.
 *
 * @param held consumer to provider to resource class to amount
 * @param registered instance to the name of its host
 * @param openInstances instances of boots and moves that are in flight
 * @param migrations migrations of moves
 * @param members members of server groups
 * @param open number of boots and moves that are in flight
 * @param toRegisterAgain instances whose registration was deleted because they held nothing, and that the scheduler
 *     compares again
 */
record Observed(
        Map<UUID, Map<UUID, Map<String, Long>>> held,
        Map<UUID, String> registered,
        Set<UUID> openInstances,
        Set<UUID> migrations,
        Map<UUID, Set<UUID>> members,
        int open,
        Set<UUID> toRegisterAgain) {
    private static final String OPEN_BOOTS = """
            SELECT unnest(instances), key FROM scheduler.request_records JOIN scheduler.request_leases USING (key)""";
    private static final String OPEN_MOVES = """
            SELECT instance_uuid, migration_uuid::text FROM scheduler.moves WHERE state IN ('started', 'reverting')""";

    static Observed read(Connection database) throws SQLException {
        database.setAutoCommit(false);
        database.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try {
            Map<UUID, Map<UUID, Map<String, Long>>> held = new HashMap<>();
            each(database, """
                    SELECT a.consumer_uuid, p.uuid, c.name, a.used
                      FROM placement.allocations a
                      JOIN placement.resource_providers p ON p.id = a.provider_id
                      JOIN placement.resource_classes c ON c.id = a.resource_class_id""",
                    row -> held.computeIfAbsent(uuid(row, 1), each -> new HashMap<>())
                            .computeIfAbsent(uuid(row, 2), each -> new HashMap<>())
                            .put(row.getString(3), row.getLong(4)));
            Map<UUID, String> registered = new HashMap<>();
            each(database, "SELECT uuid, body ->> 'host' FROM scheduler.instances",
                    row -> registered.put(uuid(row, 1), row.getString(2)));
            Set<UUID> openInstances = new HashSet<>();
            Set<String> open = new HashSet<>();
            for (String query : new String[] {OPEN_BOOTS, OPEN_MOVES}) {
                each(database, query, row -> {
                    openInstances.add(uuid(row, 1));
                    open.add(row.getString(2));
                });
            }
            Set<UUID> migrations = new HashSet<>();
            each(database, "SELECT migration_uuid FROM scheduler.moves WHERE state NOT IN ('failed', 'reverted')",
                    row -> migrations.add(uuid(row, 1)));
            Map<UUID, Set<UUID>> members = new HashMap<>();
            each(database, "SELECT server_group, instance FROM scheduler.server_group_members",
                    row -> members.computeIfAbsent(uuid(row, 1), each -> new HashSet<>()).add(uuid(row, 2)));
            Set<UUID> toRegisterAgain = new HashSet<>();
            each(database, """
                    SELECT instance FROM scheduler.instance_cleanups
                     WHERE due_at IS NULL AND body IS NOT NULL AND look_at IS NOT NULL""",
                    row -> toRegisterAgain.add(uuid(row, 1)));
            return new Observed(
                    held, registered, openInstances, migrations, members, open.size(), toRegisterAgain);
        } finally {
            database.rollback();
            database.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            database.setAutoCommit(true);
        }
    }

    @FunctionalInterface
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private static void each(Connection database, String query, RowReader reader) throws SQLException {
        try (var statement = database.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    private static UUID uuid(ResultSet row, int column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    Map<UUID, Map<String, Long>> heldBy(UUID consumer) {
        return held.getOrDefault(consumer, Map.of());
    }

    /**
     * Returns the host of an instance, or null if it holds nothing. An evacuated instance also holds its former host.
     */
    UUID placeOf(UUID instance) {
        Set<UUID> hosts = heldBy(instance).keySet();
        return hosts.size() == 1 ? hosts.iterator().next() : hosts.isEmpty() ? null : hostOf(instance);
    }

    /** Returns registered instances that hold nothing. */
    Set<UUID> registeredForNothing() {
        Set<UUID> all = new HashSet<>(registered.keySet());
        all.removeAll(held.keySet());
        return all;
    }

    /** Returns instances that hold something, and that the scheduler has yet to register again. */
    Set<UUID> unregisteredAlthoughHolding() {
        Set<UUID> all = new HashSet<>(toRegisterAgain);
        all.retainAll(held.keySet());
        all.removeAll(registered.keySet());
        return all;
    }

    Set<UUID> membersOf(Group group) {
        return members.getOrDefault(group.uuid(), Set.of());
    }

    /** Returns the registered host, or null if there is none. */
    UUID hostOf(UUID instance) {
        String name = registered.get(instance);
        return name == null ? null : SchedulerHosts.uuid(name);
    }

    /** @param host null for nowhere */
    boolean isRegistered(UUID instance, UUID host) {
        return host == null ? !registered.containsKey(instance) : host.equals(hostOf(instance));
    }

    /** Returns a description of one instance for messages. */
    String of(UUID instance) {
        return "holds " + heldBy(instance) + ", registered on " + registered.get(instance)
                + (openInstances.contains(instance) ? ", with a request under way" : "");
    }
}
