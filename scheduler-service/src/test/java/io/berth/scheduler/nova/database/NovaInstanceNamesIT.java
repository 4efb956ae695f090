package io.berth.scheduler.nova.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.database.DatabaseUnavailable;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.SqlAlchemyUrl;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.registry.instance.NamedInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests look-ups of display names in the databases of two cells and of cell0, against PostgreSQL. */
@Tag("process")
class NovaInstanceNamesIT {
    private static final int MORE_THAN_A_STATEMENT_TAKES = 1_100;

    private final Vertx vertx = Vertx.vertx();
    private final SqlAlchemyUrl server = SqlAlchemyUrl.parse(PostgresForTests.url(), "url");
    private final NovaTables api = NovaTables.api(server, vertx);
    private final NovaTables cell0 = NovaTables.cell(server, vertx);
    private final NovaTables one = NovaTables.cell(server, vertx);
    private final NovaTables two = NovaTables.cell(server, vertx);

    @BeforeEach
    void map() {
        api.cellMapping(new UUID(0, 0), cell0.connection());
        api.cellMapping(UUID.randomUUID(), one.connection());
        api.cellMapping(UUID.randomUUID(), two.connection());
    }

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private NovaInstanceNames names() {
        NovaRegistry nova = new NovaRegistry(
                new NovaDatabaseConfig(
                        Optional.of(api.connection()), Optional.empty(), Duration.ZERO, NovaTables.TIMEOUT,
                        Duration.ZERO),
                Options.DEFAULTS.defaults().inventory(),
                CellSource.WHOLE_EVERY,
                vertx,
                new SimpleMeterRegistry());
        // The registry's own names are read only without nova's databases.
        return new NovaInstanceNames(nova, null);
    }

    private static UUID instance(NovaTables cell, String host, String name) {
        UUID instance = cell.instance(host);
        cell.displayName(instance, name);
        return instance;
    }

    private List<NamedInstance> find(String name) {
        return names().find(name).await().atMost(NovaTables.TIMEOUT);
    }

    private Map<UUID, String> namesOf(UUID... instances) {
        return names().namesOf(List.of(instances)).await().atMost(NovaTables.TIMEOUT);
    }

    @Test
    void findsInstancesInEachCellAndInCell0() {
        UUID web = instance(one, "cmp1", "web-1");
        UUID other = instance(two, "cmp2", "web-2");
        UUID refused = instance(cell0, "", "render-1");
        cell0.run("UPDATE instances SET host = NULL");
        assertThat(find("web-1")).containsExactly(new NamedInstance("web-1", web, "cmp1"));
        assertThat(find("web-2")).containsExactly(new NamedInstance("web-2", other, "cmp2"));
        assertThat(find("render-1")).containsExactly(new NamedInstance("render-1", refused, null));
        assertThat(find("web-3")).isEmpty();
        assertThat(find("web-1' OR ''='")).isEmpty();
        assertThat(namesOf(web, other, refused, UUID.randomUUID()))
                .isEqualTo(Map.of(web, "web-1", other, "web-2", refused, "render-1"));
    }

    @Test
    void showsTheNameOfADeletedInstanceButDoesNotFindIt() {
        UUID gone = instance(one, "cmp1", "web-1");
        one.run("UPDATE instances SET deleted = id");
        UUID nameless = two.instance("cmp2");
        assertThat(find("web-1")).isEmpty();
        assertThat(namesOf(gone, nameless)).isEqualTo(Map.of(gone, "web-1"));
    }

    @Test
    void findsAnInstanceThatMovesBetweenCellsOnce() {
        UUID moving = instance(one, "cmp1", "web-1");
        two.instance(moving, "cmp2");
        two.displayName(moving, "web-1");
        assertThat(find("web-1")).extracting(NamedInstance::uuid).containsExactly(moving);
    }

    @Test
    void readsTheNamesOfMoreInstancesThanAStatementTakes() {
        UUID first = instance(one, "cmp1", "first");
        UUID last = instance(two, "cmp1", "last");
        UUID[] all = Stream.concat(
                Stream.concat(Stream.of(first), Stream.generate(UUID::randomUUID)
                        .limit(MORE_THAN_A_STATEMENT_TAKES)),
                Stream.of(last))
                .toArray(UUID[]::new);
        assertThat(namesOf(all)).isEqualTo(Map.of(first, "first", last, "last"));
        assertThat(namesOf()).isEmpty();
    }

    @Test
    void refusesSearchesByNameWhileACellDoesNotRespond() {
        UUID web = instance(one, "cmp1", "web-1");
        two.run("ALTER TABLE instances RENAME COLUMN display_name TO elsewhere");
        assertThat(namesOf(web)).isEqualTo(Map.of(web, "web-1"));
        assertThatThrownBy(() -> find("web-1"))
                .isInstanceOf(DatabaseUnavailable.class)
                .hasMessageContaining("does not answer, and the name may be that of an instance there; send the uuid");
    }
}
