package io.berth.scheduler.nova.database;

import io.berth.context.Recurring;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * Maintains this scheduler's row in nova's {@code services}, so that {@code openstack compute service list} shows this
 * scheduler as up. The row has the version of nova's newest service, which each update reads again, because nova may be
 * upgraded.
 * <br>Source: nova {@code servicegroup/drivers/db.py}, {@code objects/service.py}.
 */
@Singleton
public class OwnService {
    /** The interval of updates: nova's default of {@code [DEFAULT] report_interval}. */
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** The time limit of {@link #update} as a whole, and of each of its statements. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /**
     * Params: 1 and 2 the present time in UTC, 3 version, 4 name of the scheduler's host. Zero affected rows: the
     * scheduler has no row yet.
     */
    private static final String UPDATE = """
            UPDATE services SET report_count = report_count + 1, last_seen_up = ?, updated_at = ?,
                   version = ?
             WHERE host = ? AND services.binary = 'nova-scheduler' AND deleted = 0
            """;
    private static final String VERSION = "SELECT coalesce(max(version), 0) AS version FROM services WHERE deleted = 0";
    /**
     * A placeholder in {@link #CREATE} for the column {@code binary}, whose name MySQL reserves and {@link
     * Database#quoted} quotes. {@link #UPDATE} qualifies the name instead, which an INSERT cannot do.
     */
    private static final String BINARY = "binary_";
    /** Params: 1 and 2 the present time in UTC, 3 name of the scheduler's host, 4 version, 5 uuid of the row. */
    private static final String CREATE = "INSERT INTO services (created_at, last_seen_up, host, " + BINARY + """
            , topic, report_count, disabled, deleted, version, uuid, forced_down)
            VALUES (?, ?, ?, 'nova-scheduler', 'scheduler', 0, false, 0, ?, ?, false)
            """;

    private final NovaDatabaseConfig config;
    private final Vertx vertx;
    private final Recurring recurring;

    OwnService(NovaDatabaseConfig config, Vertx vertx, Recurring recurring) {
        this.config = config;
        this.vertx = vertx;
        this.recurring = recurring;
    }

    /**
     * Starts to update the row every ten seconds, if {@code berth.nova.database} is set.
     *
     * @param host name of this scheduler's host in the row
     */
    public void keepUpdating(String host) {
        config.database().ifPresent(url -> {
            Database database = Database.of("nova-service", url, vertx, TIMEOUT);
            recurring.every(INTERVAL, () -> update(database, host), "nova's services do not show this scheduler");
        });
    }

    /**
     * Updates the row, or creates it if it is missing. If two replicas create the row at the same time, one of them
     * fails, and updates the row ten seconds later. Fails after five seconds.
     */
    static Uni<?> update(Database database, String host) {
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC).withNano(0);
        return database.run(VERSION)
                .map(rows -> rows.iterator().next().getInteger("version"))
                .chain(version -> database.run(UPDATE, now, now, version, host)
                        .chain(result -> result.rowCount() > 0
                                ? Uni.createFrom().voidItem()
                                : database.run(
                                        CREATE.replace(BINARY, database.quoted("binary")),
                                        now,
                                        now,
                                        host,
                                        version,
                                        UUID.randomUUID().toString()).replaceWithVoid()))
                .ifNoItem().after(TIMEOUT).fail();
    }
}
