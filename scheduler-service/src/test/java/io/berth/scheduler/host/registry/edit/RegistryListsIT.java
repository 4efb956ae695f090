package io.berth.scheduler.host.registry.edit;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists registered collections: filters, order and pages. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RegistryListsIT {
    @Inject
    Pool pool;

    private final String name = "list-" + UUID.randomUUID();

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json").urlEncodingEnabled(false);
    }

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(Await.WAIT_MAX);
    }

    private static String instance(String host) {
        return admin().body("{\"host\":\"" + host + "\"}").post("/v1/instances").then()
                .statusCode(201)
                .extract().path("uuid");
    }

    @Test
    void followsThePageLinksToTheEnd() {
        List<String> made = IntStream.range(0, 5).mapToObj(i -> instance(name)).sorted().toList();
        List<String> listed = new ArrayList<>();
        String query = "?host=" + name + "&limit=2";
        for (int pages = 1; query != null; pages++) {
            Response page = admin().get("/v1/instances" + query);
            page.then().statusCode(200).body("instances", hasSize(pages < 3 ? 2 : 1));
            listed.addAll(page.jsonPath().getList("instances.uuid", String.class));
            query = page.jsonPath().getString("instances_links[0].href");
            assertThat(query == null).isEqualTo(pages == 3);
        }
        assertThat(listed).isEqualTo(made);
        // The limit equals the number of records, so no page follows.
        admin().get("/v1/instances?limit=5&host=" + name).then()
                .body("instances", hasSize(5))
                .body("instances_links", nullValue());
    }

    /** A thousand such records would be hundreds of megabytes. */
    @Test
    void pagesOfLargeRecordsAreShorter() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(admin()
                    .body("{\"host\":\"" + name + "-" + i + "\",\"nodename\":\"" + name + "\",\"stats\":{\"note\":\""
                            + "x".repeat(250_000) + "\"}}")
                    .post("/v1/compute_nodes").then()
                    .statusCode(201)
                    .extract().path("uuid"));
        }
        List<String> listed = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (String query = "?nodename=" + name + "&sort_key=host"; query != null;) {
            Response page = admin().get("/v1/compute_nodes" + query);
            page.then().statusCode(200);
            sizes.add(page.jsonPath().getList("compute_nodes").size());
            listed.addAll(page.jsonPath().getList("compute_nodes.uuid", String.class));
            query = page.jsonPath().getString("compute_nodes_links[0].href");
        }
        assertThat(listed).isEqualTo(made);
        assertThat(sizes).containsExactly(3, 2);
    }

    /** The members count for the length of a page, although the bodies of the groups are short. */
    @Test
    void limitsPagesOfGroupsByTheNumberOfMembers() {
        long own = ThreadLocalRandom.current().nextLong();
        for (int i = 1; i <= 3; i++) {
            UUID group = new UUID(own, i);
            admin().body("{\"policy\":\"affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
            execute("INSERT INTO server_group_members (server_group, instance) SELECT '" + group
                    + "', gen_random_uuid() FROM generate_series(1, 12000)");
        }
        admin().get("/v1/server_groups?limit=3&marker=" + new UUID(own, 0)).then()
                .statusCode(200)
                .body("server_groups.uuid", contains(new UUID(own, 1).toString(), new UUID(own, 2).toString()))
                .body("server_groups.members", everyItem(hasSize(12_000)))
                .body("server_groups_links[0].href", endsWith("marker=" + new UUID(own, 2)));
    }

    @Test
    void returnsAPageThoughARecordIsDeletedMeanwhile() {
        long own = ThreadLocalRandom.current().nextLong();
        UUID stays = new UUID(own, 2);
        admin().body("{\"host\":\"" + name + "\"}").put("/v1/instances/" + stays).then().statusCode(201);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger came = new AtomicInteger();
        CompletableFuture<Void> comesAndGoes = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                came.incrementAndGet();
                execute("INSERT INTO instances (uuid, body) VALUES ('" + new UUID(own, 1) + "', '{\"host\":\"" + name
                        + "\"}')");
                execute("DELETE FROM instances WHERE uuid = '" + new UUID(own, 1) + "'");
            }
        });
        try {
            for (int i = 0; i < 200 || came.get() < 20; i++) {
                admin().get("/v1/instances?limit=1&host=" + name).then().statusCode(200).body("instances", hasSize(1));
            }
        } finally {
            isOver.set(true);
            comesAndGoes.join();
        }
    }

    @Test
    void acceptsAMarkerThatNoLongerMatchesTheFilter() {
        List<String> made = IntStream.range(0, 3).mapToObj(i -> instance(name)).sorted().toList();
        admin().body("{\"host\":\"other\"}").put("/v1/instances/" + made.get(1)).then().statusCode(200);
        admin().get("/v1/instances?host=" + name + "&marker=" + made.get(1)).then()
                .statusCode(200)
                .body("instances.uuid", contains(made.get(2)));
    }

    @Test
    void filtersByHostNodeAndName() {
        for (String node : List.of("n1", "n2")) {
            admin().body("{\"host\":\"" + name + "\",\"nodename\":\"" + name + node + "\"}").post("/v1/compute_nodes")
                    .then().statusCode(201);
        }
        admin().get("/v1/compute_nodes?host=" + name).then().body("compute_nodes", hasSize(2));
        admin().get("/v1/compute_nodes?nodename=" + name + "n2&host=" + name).then()
                .body("compute_nodes.nodename", contains(name + "n2"));
        admin().get("/v1/compute_nodes?nodename=" + name + "n2&host=elsewhere").then()
                .body("compute_nodes", hasSize(0));
        admin().body("{\"name\":\"" + name + " %\"}").post("/v1/cells").then().statusCode(201);
        admin().get("/v1/cells?name=" + name + "%20%25").then().body("cells.name", contains(name + " %"));
        admin().get("/v1/cells?name=" + name + "%25").then().body("cells", hasSize(0));
    }

    private static String node(String host, String nodename) {
        return admin().body("{\"host\":\"" + host + "\",\"nodename\":\"" + nodename + "\"}").post("/v1/compute_nodes")
                .then()
                .statusCode(201)
                .extract().path("uuid");
    }

    /** The values of a member over all pages of two records. */
    private static List<String> listed(String query, String member) {
        List<String> all = new ArrayList<>();
        String next = query + "&limit=2";
        while (next != null) {
            Response page = admin().get("/v1/compute_nodes" + next);
            page.then().statusCode(200);
            all.addAll(page.jsonPath().getList("compute_nodes." + member, String.class));
            next = page.jsonPath().getString("compute_nodes_links[0].href");
        }
        return all;
    }

    /** Uses nodes, because no background job deletes them: without the marker's record there is no next page. */
    @Test
    void sortsByHostThenUuidInBothDirections() {
        for (String host : List.of("b", "e", "a", "d", "c")) {
            node(name + host, name + "same");
        }
        List<String> hosts = Stream.of("a", "b", "c", "d", "e").map(host -> name + host).toList();
        List<String> uuids = IntStream.range(0, 5).mapToObj(i -> node(name, name + i)).sorted().toList();
        String byHost = "&sort_key=host&sort_dir=";
        assertThat(listed("?nodename=" + name + "same" + byHost + "asc", "host")).isEqualTo(hosts);
        assertThat(listed("?nodename=" + name + "same" + byHost + "desc", "host")).isEqualTo(hosts.reversed());
        assertThat(listed("?host=" + name + byHost + "asc", "uuid")).isEqualTo(uuids);
        assertThat(listed("?host=" + name + byHost + "desc", "uuid")).isEqualTo(uuids.reversed());
    }

    /** Without the index, each of a thousand pages of a large cloud would read all records before it. */
    @ParameterizedTest
    @CsvSource({"asc, >=", "desc, <="})
    void aPageByHostUsesTheIndexFromItsMarker(String direction, String comparison) throws SQLException {
        String last = node(name, name);
        DatabaseUrl url = DatabaseUrl.parse(PostgresForTests.url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl("scheduler"), url.user(), url.password());
                Statement statement = connection.createStatement()) {
            List<String> statements = new ArrayList<>();
            // pg_stat_activity shows the last statement of each connection until another one follows there.
            Await.eventually(() -> {
                admin().get("/v1/compute_nodes?sort_key=host&limit=1&nodename=" + name + "&sort_dir=" + direction
                        + "&marker="
                        + last).then().statusCode(200);
                statements.addAll(rows(statement, "SELECT query FROM pg_stat_activity"
                        + " WHERE query LIKE 'select %compute_nodes%.host" + comparison.charAt(0) + "%'"));
                assertThat(statements).isNotEmpty();
            });
            statement.execute("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off");
            statement.execute("PREPARE asked AS " + statements.getFirst());
            assertThat(rows(statement, "EXPLAIN EXECUTE asked (NULL, NULL, NULL, NULL)"))
                    .anyMatch(line -> line.contains("Index Cond") && line.contains("host " + comparison));
        }
    }

    private static List<String> rows(Statement statement, String sql) {
        List<String> rows = new ArrayList<>();
        try (ResultSet all = statement.executeQuery(sql)) {
            while (all.next()) {
                rows.add(all.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return rows;
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', value = {
        "instances?limit=0 | limit: must be an integer of at least 1",
        "instances?limit=-1 | limit: must be an integer of at least 1",
        "instances?limit=ten | limit: must be an integer of at least 1",
        "instances?limit= | limit: must be an integer of at least 1",
        "instances?limit=1&limit=2 | limit: is given more than once",
        "instances?marker=first | marker: must be a uuid",
        "instances?sort_key=host&marker=00000000-0000-4000-8000-000000000000 | marker: no record 00000000-",
        "instances?sort_key=version | sort_key: must be one of uuid, host",
        "server_groups?sort_key=host | sort_key: must be one of uuid",
        "instances?sort_dir=up | sort_dir: must be one of asc, desc",
        "instances?host=a%00b | host: must not contain NUL",
        "instances?name=x | unknown query parameter name: the route takes",
        "server_groups?name=x | unknown query parameter name: the route takes limit, marker, sort_dir, sort_key",
        "cells?nam=x | unknown query parameter nam: the route takes limit, marker, name, sort_dir, sort_key; near:"
                + " name"})
    void refusesInvalidListQueries(String query, String why) {
        admin().get("/v1/" + query).then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"))
                .body("errors[0].detail", startsWith(why));
    }
}
