package io.berth.scheduler.nova.database;

import io.berth.model.CaFile;
import io.berth.model.SqlAlchemyUrl;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The options {@code berth.nova.*} that concern nova's databases; the constructor describes them. */
@Singleton
class NovaDatabaseConfig {
    private final Optional<String> apiDatabase;
    private final Optional<String> database;
    private final Duration maxAge;
    private final Duration cellTimeout;
    private final Duration ownBuildsCounted;

    /**
     * @param apiDatabase {@code [api_database] connection} of nova.conf. If set, hosts, services, aggregates, cells and
     * instances come from nova's databases, the registry's routes refuse to change them, and the placement sync is off
     * @param database {@code [database] connection} of nova.conf. Its parts fill templates in {@code cell_mappings},
     * and the database has the scheduler's row in {@code services}. If unset, this row is not written
     * @param maxAge maximum age of the content on which a decision is based. 0: each decision reads the databases
     * first, and concurrent decisions share one reading
     * @param cellTimeout time after which a cell that does not respond is left out, with its hosts, until it responds
     * @param ownBuildsCounted maximum time for which a build that Berth placed counts in {@code num_io_ops} of its
     * host, unless the compute node reports the build earlier. 0: such builds do not count, as in nova-scheduler, which
     * uses only the last report
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
        return apiDatabase.map(url -> parsed(url, "berth.nova.api-database"));
    }

    Optional<SqlAlchemyUrl> database() {
        return database.map(url -> parsed(url, "berth.nova.database"));
    }

    /**
     * Parses a URL. Also reads the file of certificate authorities that the URL names, so that an error is found now,
     * and not when the first connection is opened.
     */
    private static SqlAlchemyUrl parsed(String text, String option) {
        SqlAlchemyUrl url = SqlAlchemyUrl.parse(text, option);
        if (!url.caFile().isEmpty()) {
            CaFile.read(option, Path.of(url.caFile()));
        }
        return url;
    }

    /**
     * Returns the URL of a cell's database. Throws IllegalArgumentException if the cell's connection is not a URL, or
     * is a template that cannot be filled.
     */
    SqlAlchemyUrl urlOfCell(ApiReading.Mapping cell) {
        return SqlAlchemyUrl.parse(
                SqlAlchemyUrl.fillTemplate(cell.connection(), database.orElse("")),
                "database_connection of cell " + cell.name());
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
