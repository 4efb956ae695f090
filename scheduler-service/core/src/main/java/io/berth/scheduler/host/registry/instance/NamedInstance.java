package io.berth.scheduler.host.registry.instance;

import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

/**
 * An instance that was found by name.
 *
 * @param host the host on which the instance is registered or was last placed; null if unknown
 */
public record NamedInstance(String name, UUID uuid, @Nullable String host) {
    /**
     * Returns the instances of a query's rows.
     *
     * @param rows with the columns {@code uuid} and {@code host}
     */
    public static List<NamedInstance> of(String name, RowSet<Row> rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> new NamedInstance(name, row.getUUID("uuid"), row.getString("host")))
                .toList();
    }
}
