package io.berth.scheduler.api;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs the Placement service for tests that claim: by default Berth's own, packaged, as a separate process on the
 * PostgreSQL of the tests; with {@code -Dberth.test.placement=URL} any other one, whose content is then changed. The
 * scheduler reaches it through a proxy that tests may cut. All test classes share one service until the JVM ends. Each
 * start of Quarkus loads this class again and finds the service by the same system property.
 */
public final class PackagedPlacement implements QuarkusTestResourceLifecycleManager {
    private static final Path PLACEMENT = Path.of("..", "placement-service");

    private static final String URL = "berth.test.placement";

    private static String url;
    private static UnreliableProxy proxy;

    private ServiceProcess alone;
    private String shared;

    /** The URL of Placement itself, without the proxy. */
    public static String url() {
        return url;
    }

    /** The proxy that the scheduler uses as placement. */
    static UnreliableProxy proxy() {
        return proxy;
    }

    @Override
    public Map<String, String> start() {
        if (proxy == null) {
            url = System.getProperty(URL);
            if (url == null) {
                ServiceProcess service = ServiceProcess.start(PLACEMENT, PostgresForTests.url());
                Runtime.getRuntime().addShutdownHook(new Thread(service::close));
                url = service.url();
                System.setProperty(URL, url);
            }
            proxy = new UnreliableProxy(url);
        }
        return options(proxy.url());
    }

    /** Starts a further service on that database, until {@link #stop}; it is reached without the proxy. */
    Map<String, String> startAlone(String databaseUrl) {
        shared = url;
        alone = ServiceProcess.start(PLACEMENT, databaseUrl);
        url = alone.url();
        return options(url);
    }

    /** Only broken connections lose calls: with this long timeout a slow machine loses none. */
    private static Map<String, String> options(String url) {
        return Map.of("berth.placement-url", url, "berth.placement-timeout", "5M");
    }

    /** Loses all of the scheduler's requests until {@link #restore}. */
    public static void cut() {
        proxy.cut();
    }

    public static void restore() {
        proxy.restore();
    }

    @Override
    public void stop() {
        if (alone == null) {
            restore();
        } else {
            alone.close();
            url = shared;
        }
    }
}
