package io.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that one-time work that blocks an event loop for hundreds of milliseconds runs before the process has started,
 * and not in a client's first write. The JVM's log shows that its classes are loaded by then.
 */
@Tag("process")
class FirstWriteIT {
    /** Classes for the parsing and translation of HQL, a transaction, and the compilation of a schema. */
    private static final List<String> ONCE = List.of("org.antlr.v4.runtime.", "org.hibernate.grammars.hql.",
            "org.hibernate.query.sqm.sql.", "org.hibernate.resource.transaction.", "com.networknt.schema.JsonSchema");

    @TempDir
    Path folder;

    @Test
    void theFirstWriteLoadsNoClassOfOneTimeWork() throws Exception {
        Path loaded = folder.resolve("loaded");
        try (var replica = ReplicaProcess.start(Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + loaded))) {
            Await.eventually("the service is started", () -> call(replica, "GET", "/q/health/started", null) == 200);
            List<String> before = Files.readAllLines(loaded);
            assertThat(ONCE).allMatch(name -> before.stream().anyMatch(line -> line.contains("] " + name)));
            write(replica);
            assertThat(Files.readAllLines(loaded).stream().skip(before.size()))
                    .isNotEmpty()
                    .filteredOn(line -> ONCE.stream().anyMatch(name -> line.contains("] " + name)))
                    .isEmpty();
        }
    }

    /** Sends one write of each kind. */
    private static void write(ReplicaProcess replica) {
        UUID host = UUID.randomUUID();
        UUID vm = UUID.randomUUID();
        String provider = "/resource_providers/" + host;
        assertThat(call(replica, "POST", "/resource_providers",
                "{\"name\":\"first-" + host + "\",\"uuid\":\"" + host + "\"}"))
                .isEqualTo(200);
        assertThat(call(replica, "PUT", provider + "/inventories", """
                {"resource_provider_generation":0,"inventories":{"VCPU":{"total":8}}}""")).isEqualTo(200);
        assertThat(call(replica, "PUT", "/traits/CUSTOM_FIRST", null)).isIn(201, 204);
        assertThat(call(replica, "PUT", provider + "/traits", """
                {"resource_provider_generation":1,"traits":["CUSTOM_FIRST"]}""")).isEqualTo(200);
        assertThat(call(replica, "PUT", provider + "/aggregates", """
                {"resource_provider_generation":2,"aggregates":["%s"]}""".formatted(vm))).isEqualTo(200);
        assertThat(call(replica, "PUT", "/allocations/" + vm, """
                {"allocations":{"%s":{"resources":{"VCPU":1}}},"consumer_generation":null,"project_id":"p",\
                "user_id":"u","consumer_type":"INSTANCE"}""".formatted(host))).isEqualTo(204);
        assertThat(call(replica, "DELETE", "/allocations/" + vm, null)).isEqualTo(204);
        assertThat(call(replica, "DELETE", provider, null)).isEqualTo(204);
    }

    private static int call(ReplicaProcess replica, String method, String path, String body) {
        return replica.call(method, path, body).status();
    }
}
