package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The allocations that the responses confirm. After a fault they are compared only with the rows of the tables, not
 * with counters or with further responses of the service.
 */
final class Books {
    private final Map<UUID, Set<Map<UUID, Integer>>> possible = new ConcurrentHashMap<>();
    private final Collection<String> wrongs = new ConcurrentLinkedQueue<>();

    /**
     * Records a confirmed request: the consumer holds exactly these VCPUs by provider, or none if it was released or
     * refused.
     */
    void holds(UUID consumer, Map<UUID, Integer> vcpus) {
        possible.put(consumer, Set.of(vcpus));
    }

    /** Records a request without a response: the consumer holds either its previous or its requested allocations. */
    void mayHold(UUID consumer, Map<UUID, Integer> before, Map<UUID, Integer> after) {
        possible.put(consumer, before.equals(after) ? Set.of(before) : Set.of(before, after));
    }

    /** Records a response that no fault excuses. */
    void wrong(String what) {
        wrongs.add(what);
    }

    Set<UUID> consumers() {
        return Set.copyOf(possible.keySet());
    }

    long acknowledged() {
        return possible.values().stream().filter(each -> each.size() == 1 && !each.contains(Map.of())).count();
    }

    long unanswered() {
        return possible.values().stream().filter(each -> each.size() > 1).count();
    }

    /** Compares the tables with the confirmed allocations. Also checks the whole database for consistency. */
    void check(Connection database) throws SQLException {
        assertThat(wrongs).as("responses that no fault excuses").isEmpty();
        Map<UUID, Map<UUID, Integer>> held = held(database);
        List<String> different = new ArrayList<>();
        possible.forEach((consumer, maps) -> {
            Map<UUID, Integer> now = held.getOrDefault(consumer, Map.of());
            if (!maps.contains(now)) {
                different.add(consumer + " holds " + now + " instead of one of " + maps);
            }
        });
        assertThat(different).as("allocations that no response confirmed, of " + possible.size()).isEmpty();
        checkOrder(database);
    }

    private static Map<UUID, Map<UUID, Integer>> held(Connection database) throws SQLException {
        Map<UUID, Map<UUID, Integer>> held = new HashMap<>();
        try (var statement = database.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT a.consumer_uuid, p.uuid, sum(a.used)
                          FROM allocations a JOIN resource_providers p ON p.id = a.provider_id
                         WHERE a.resource_class_id = 0
                         GROUP BY a.consumer_uuid, p.uuid""")) {
            while (rows.next()) {
                held.computeIfAbsent(rows.getObject(1, UUID.class), each -> new HashMap<>())
                        .put(rows.getObject(2, UUID.class), rows.getInt(3));
            }
        }
        return held;
    }

    /** Compares sums with counters and capacities, and checks that each row has an owner. */
    static void checkOrder(Connection database) throws SQLException {
        assertThat(count(database, """
                SELECT count(*) FROM inventories i
                  LEFT JOIN (SELECT provider_id, resource_class_id, sum(used) AS used FROM allocations GROUP BY 1, 2) a
                         USING (provider_id, resource_class_id)
                 WHERE i.used <> coalesce(a.used, 0)""")).as("counters that differ from their rows").isZero();
        assertThat(count(database, """
                SELECT count(*) FROM inventories i
                  JOIN (SELECT provider_id, resource_class_id, sum(used) AS used FROM allocations GROUP BY 1, 2) a
                         USING (provider_id, resource_class_id)
                 WHERE a.used > (i.total - i.reserved) * i.allocation_ratio"""))
                .as("inventories over capacity").isZero();
        assertThat(count(database, """
                SELECT count(*) FROM allocations a
                 WHERE NOT EXISTS (SELECT 1 FROM consumers c WHERE c.uuid = a.consumer_uuid)
                    OR NOT EXISTS (SELECT 1 FROM inventories i WHERE i.provider_id = a.provider_id
                                      AND i.resource_class_id = a.resource_class_id)""")).as("rows without an owner").isZero();
        assertThat(count(database, """
                SELECT count(*) FROM consumers c
                 WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_uuid = c.uuid)"""))
                .as("consumers that hold nothing").isZero();
    }

    static long count(Connection database, String query) throws SQLException {
        try (var statement = database.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
