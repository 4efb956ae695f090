package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Carries out drains of random clouds to their end, against a real Placement. {@code -Dberth.test.clouds} sets the
 * number of clouds, {@code -Dberth.test.seed} the seed of the first.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
@TestProfile(DrainsIT.ManyFilters.class)
class DrainDriverIT {
    private static final int CLOUDS = Integer.getInteger("berth.test.clouds", 3);
    private static final long SEED = Seed.of(DrainDriverIT.class);

    /** An instance and its target host; null if the instance stays. */
    private record Forecast(String instance, String host) {}

    private static List<Forecast> forecast(List<String> hosts) {
        Map<String, Object> body = Map.of("ask", Map.of("drain", Map.of("hosts", hosts)));
        JsonPath response = admin().body(body).post("/v1/what_if").then().statusCode(200).extract().jsonPath();
        assertThat(response.getBoolean("complete")).isTrue();
        List<Map<String, String>> instances = response.getList("after.drain.instances");
        return instances.stream().map(each -> new Forecast(each.get("instance"), each.get("host"))).toList();
    }

    private static List<Forecast> placed(List<Forecast> forecast) {
        return forecast.stream().filter(each -> each.host() != null).collect(Collectors.toCollection(ArrayList::new));
    }

    private static Set<String> stuck(List<Forecast> forecast) {
        return forecast.stream()
                .filter(each -> each.host() == null)
                .map(Forecast::instance)
                .collect(Collectors.toSet());
    }

    private static String begin(MovingCloud cloud, List<String> hosts, int parallel, int perHost) {
        String drain = cloud.fleet.name("drain");
        admin().body(Map.of("select", Map.of("hosts", hosts), "parallel", parallel, "per_host", perHost))
                .put("/v1/drains/" + drain).then().statusCode(201);
        return drain;
    }

    private static JsonPath next(String drain) {
        JsonPath next = admin().get("/v1/drains/" + drain + "/next").then().statusCode(200).extract().jsonPath();
        assertThat(next.getBoolean("complete")).isTrue();
        return next;
    }

    /** Continues until at least one cloud had moves. Most seeds produce moves and instances that stay. */
    @Test
    void theDrainMakesTheForecastMoves() {
        int moved = 0;
        for (int i = 0; i < CLOUDS || moved == 0; i++) {
            assertThat(i).isLessThan(CLOUDS + 50);
            MovingCloud cloud = new MovingCloud(SEED + i, i == 0);
            List<String> hosts = cloud.busiest().subList(0, 1 + cloud.random().nextInt(2));
            moved += oneByOne(cloud, hosts, "seed " + (SEED + i));
        }
    }

    /** Returns how many instances moved. */
    private static int oneByOne(MovingCloud cloud, List<String> hosts, String seed) {
        List<Forecast> forecast = forecast(hosts);
        List<Forecast> expected = placed(forecast);
        int start = forecast.size();
        String drain = begin(cloud, hosts, 1, 1);
        int moved = 0;
        for (JsonPath next = next(drain); next.getString("state").equals("moving"); next = next(drain)) {
            Map<String, Object> move = next.getMap("moves[0]");
            String about = seed + ": " + move + " of " + forecast;
            if (stuck(forecast).contains(move.get("instance"))) {
                // A move that was made before freed room for an instance that the forecast could not place.
                forecast = forecast(hosts);
                expected = placed(forecast);
            }
            assertThat(new Forecast(move.get("instance").toString(), move.get("host").toString())).as(about)
                    .isEqualTo(expected.removeFirst());
            cloud.carryOut(move, about);
            moved++;
        }
        assertThat(expected).as(seed).isEmpty();
        assertEnded(drain, hosts, start, moved, stuck(forecast), seed);
        return moved;
    }

    private static void assertEnded(
            String drain, List<String> hosts, int start, int moved, Set<String> stuck, String about) {
        JsonPath progress = admin().get("/v1/drains/" + drain).then().statusCode(200).extract().jsonPath();
        assertThat(progress.getBoolean("complete")).as(about).isTrue();
        assertThat(progress.getString("state")).as(about).isEqualTo(stuck.isEmpty() ? "done" : "stuck");
        assertThat(progress.<String>getList("stuck.instance")).as(about).containsExactlyInAnyOrderElementsOf(stuck);
        assertThat(progress.<Map<String, Integer>>get("instances")).as(about).isEqualTo(Map.of(
                "start", start, "moved", moved, "under_way", 0, "remaining", stuck.size(), "stuck", stuck.size(),
                "gone", 0, "arrived", 0));
        assertThat(progress.<Map<String, Integer>>getList("hosts.left")).as(about).containsOnly(Map.of());
        if (stuck.isEmpty()) {
            hosts.forEach(host -> assertThat(MovingCloud.use(host)).as(about).isEmpty());
        }
        admin().delete("/v1/drains/" + drain).then().statusCode(200);
    }

    @Test
    void movesReturnedTogetherCanBeMadeTogether() {
        int together = 0;
        for (int i = 0; i < CLOUDS || together == 0; i++) {
            assertThat(i).isLessThan(CLOUDS + 50);
            MovingCloud cloud = new MovingCloud(SEED + 1_000 + i);
            List<String> hosts = cloud.busiest().subList(0, 2);
            int start = forecast(hosts).size();
            String drain = begin(cloud, hosts, 4, 3);
            String about = "seed " + (SEED + 1_000 + i);
            int moved = 0;
            JsonPath next = next(drain);
            for (; next.getString("state").equals("moving"); next = next(drain)) {
                List<Map<String, Object>> moves = next.getList("moves");
                assertThat(moves).as(about).hasSizeLessThanOrEqualTo(4);
                moves.forEach(move -> cloud.begin(move, about));
                assertThat(next(drain).getInt("under_way")).as(about).isEqualTo(moves.size());
                moves.forEach(MovingCloud::confirm);
                together += moves.size() > 1 ? 1 : 0;
                moved += moves.size();
            }
            assertThat(moved + next.getInt("remaining")).as(about).isEqualTo(start);
            admin().delete("/v1/drains/" + drain).then().statusCode(200);
        }
    }
}
