package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.path.json.JsonPath;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kills the scheduler between any two steps of a drain. */
@Tag("process")
class DrainRestartIT {
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = PackagedScheduler.alone();

    private static JsonPath get(String path) {
        return admin().get(path).then().statusCode(200).extract().jsonPath();
    }

    @Test
    void continuesTheDrainAfterEachRestart() throws InterruptedException {
        Fleet fleet = new Fleet();
        fleet.host("a", 4);
        fleet.instanceOn("a");
        fleet.host("b", 4);
        String path = "/v1/drains/" + fleet.name("drain");
        Map<String, Object> body = Map.of("select", Map.of("hosts", new String[] {fleet.name("a")}));
        String begun = admin().body(body).put(path).then().statusCode(201).extract().asString();
        SCHEDULER.killAndStartAgain();
        assertThat(admin().body(body).put(path).then().statusCode(200).extract().asString()).isEqualTo(begun);
        Map<String, Object> move = get(path + "/next").getMap("moves[0]");
        SCHEDULER.killAndStartAgain();
        JsonPath again = get(path + "/next");
        assertThat(again.<Map<String, Object>>getList("moves")).containsExactly(move);
        String migration = again.getString("moves[0].call.body.migration_uuid");
        admin().body(again.<Object>get("moves[0].call.body")).post("/v1/moves").then().statusCode(200);
        SCHEDULER.killAndStartAgain();
        assertThat(get(path + "/next").getString("state")).isEqualTo("waiting");
        assertThat(get(path).getList("under_way.migration_uuid")).containsExactly(migration);
        admin().post("/v1/moves/" + migration + "/confirm").then().statusCode(200);
        SCHEDULER.killAndStartAgain();
        assertThat(get(path).getInt("instances.moved")).isEqualTo(1);
        assertThat(get(path).getString("state")).isEqualTo("done");
        admin().delete(path + "?enable=true").then().statusCode(200).body("enabled[0]", equalTo(fleet.name("a")));
        SCHEDULER.killAndStartAgain();
        admin().get(path).then().statusCode(404);
        assertThat(get("/v1/services?host=" + fleet.name("a")).getList("services")).isEmpty();
    }
}
