package io.berth.scheduler.nova.database;

import io.berth.model.SqlAlchemyUrl;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Where nova's databases are, and how fresh what is read of them must be. */
@Singleton
class NovaDatabaseConfig {
    private final Optional<String> apiDatabase;
    private final Optional<String> database;
    private final Duration maxAge;
    private final Duration cellTimeout;
    private final Duration ownBuildsCounted;

    /**
     * @param apiDatabase {@code [api_database] connection} of nova.conf. With it hosts, services, aggregates, cells and
     *     instances are those of nova's databases; the registry's routes take no changes of them then, and the mirror is off
     * @param database {@code [database] connection} of nova.conf: what templates in {@code cell_mappings} are filled from, and
     *     where the scheduler's row in {@code services} is written; without it there is none
     * @param maxAge how old what was read may be; 0: read before each decision, once for all who wait
     * @param cellTimeout after so long without an answer a cell is left out, with its hosts, until it answers
     * @param ownBuildsCounted for how long at most a build that Berth placed counts in {@code num_io_ops} of its host before
     *     the compute reports it; 0: not at all, as nova-scheduler, which goes by the last report
     */
    NovaDatabaseConfig(
            @ConfigProperty(name = "berth.nova.api-database") Optional<String> apiDatabase,
            @ConfigProperty(name = "berth.nova.database") Optional<String> database,
            @ConfigProperty(name = "berth.nova.max-age", defaultValue = "0S") Duration maxAge,
            @ConfigProperty(name = "berth.nova.cell-timeout", defaultValue = "10S") Duration cellTimeout,
            @ConfigProperty(name = "berth.nova.own-builds-counted", defaultValue = "1M") Duration ownBuildsCounted) {
        this.apiDatabase = apiDatabase;
        this.database = database;
        this.maxAge = maxAge;
        this.cellTimeout = cellTimeout;
        this.ownBuildsCounted = ownBuildsCounted;
        if (cellTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("berth.nova.cell-timeout must be above 0");
        }
    }

    Optional<SqlAlchemyUrl> apiDatabase() {
        return apiDatabase.map(url -> SqlAlchemyUrl.parse(url, "berth.nova.api-database"));
    }

    Optional<SqlAlchemyUrl> database() {
        return database.map(url -> SqlAlchemyUrl.parse(url, "berth.nova.database"));
    }

    /** Throws IllegalArgumentException for what is no URL, or a template that nothing fills. */
    SqlAlchemyUrl ofCell(ApiReading.Mapping cell) {
        return SqlAlchemyUrl.parse(
                SqlAlchemyUrl.filled(cell.connection(), database.orElse("")), "database_connection of cell " + cell.name());
    }

    Duration maxAge() {
        return maxAge;
    }

    Duration ownBuildsCounted() {
        return ownBuildsCounted;
    }

    Duration cellTimeout() {
        return cellTimeout;
    }
}
