package io.berth.deploy.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.command.BerthMain;
import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Both packaged services. Tests can write the scheduler's policy file. */
final class Cloud implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ROOT = Path.of("..", "..", "..");

    /** Grants read access to Rita. With noauth2 a user consists of a name only. */
    static final String RITA_READS = "reader_api: user_id:rita\n";

    private final PostgresServer postgres;
    private final Path policy;
    private final ServiceProcess placement;
    private ServiceProcess scheduler;

    private Cloud() throws IOException {
        Path folder = Files.createTempDirectory("berth-page");
        postgres = PostgresServer.start(folder, 0, false, false);
        policy = folder.resolve("policy.yaml");
        setPolicy(RITA_READS);
        placement = ServiceProcess.start(ROOT.resolve("placement-service"), postgres.url());
        startScheduler(0);
    }

    /** Starts a cloud with the fleet and decisions of the demo. */
    static Cloud withDemo() throws IOException {
        var cloud = new Cloud();
        var output = new StringWriter();
        var out = new PrintWriter(output, true);
        if (BerthMain.run(out, out, "demo", "--token", "admin", "--placement", cloud.placement.url(),
                "--scheduler", cloud.scheduler.url()) != 0) {
            throw new IllegalStateException("the demo failed: " + output);
        }
        return cloud;
    }

    /** Starts a cloud with this number of hosts in zones, used to a third, without decisions. */
    static Cloud withHosts(int count) throws IOException {
        var cloud = new Cloud();
        new ManyHosts(new Api(cloud.placement.url()), cloud.scheduler(), count).load();
        return cloud;
    }

    private void startScheduler(int port) {
        scheduler = start(Map.of(), port);
        Api api = new Api(scheduler.url());
        Await.eventually("the scheduler is ready", api::isReady);
    }

    private ServiceProcess start(Map<String, String> settings, int port) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "BERTH_DATABASE_URL", postgres.url(),
                "BERTH_PLACEMENT_URL", placement.url(),
                "BERTH_POLICY_FILE", policy.toString()));
        environment.putAll(settings);
        return ServiceProcess.start(ROOT.resolve("scheduler-service"), environment, port);
    }

    /** Starts another scheduler of the same cloud, with other settings of authentication. */
    ServiceProcess startAnother(Map<String, String> settings) {
        return start(settings, 0);
    }

    void setPolicy(String text) throws IOException {
        Files.writeString(policy, text);
    }

    /** Returns the scheduler's URL. */
    String url() {
        return scheduler.url();
    }

    String page() {
        return scheduler.url() + "/ui";
    }

    Api placement() {
        return new Api(placement.url());
    }

    Api scheduler() {
        return new Api(scheduler.url());
    }

    /** Returns the scheduler's response. */
    JsonNode read(String path) throws IOException {
        return JSON.readTree(scheduler().get(path).body());
    }

    /** Returns the uuid of the host's provider. */
    String uuidOf(String host) throws IOException {
        JsonNode fleet = read("/v1/fleet");
        for (int i = 0; i < fleet.path("host").size(); i++) {
            if (fleet.at("/host/" + i).asText().equals(host)) {
                return fleet.at("/uuid/" + i).asText();
            }
        }
        throw new AssertionError("no host " + host);
    }

    /** Suspends the scheduler, which then accepts connections and does not respond. */
    void suspendScheduler() {
        scheduler.suspend();
    }

    void resumeScheduler() {
        scheduler.resume();
    }

    void stopScheduler() {
        scheduler.close();
    }

    void startSchedulerAgain() {
        startScheduler(URI.create(scheduler.url()).getPort());
    }

    @Override
    public void close() throws IOException {
        scheduler.close();
        placement.close();
        postgres.closeAndRemove(policy.getParent());
    }
}
