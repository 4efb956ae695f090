package io.berth.scheduler.api;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Placement service of tests that claim: Berth's own, packaged, as a process beside the tests on their
 * PostgreSQL; or, to compare, any other at {@code -Dberth.test.placement=URL} (its content is changed). The scheduler
 * reaches it through a proxy that tests may cut. One for all test classes, gone with the JVM; who loads this class
 * anew, as every boot of Quarkus does, finds it by the same property.
 */
public final class PackagedPlacement implements QuarkusTestResourceLifecycleManager {
    private static final Path PLACEMENT = Path.of("..", "placement-service");

    private static final String URL = "berth.test.placement";

    private static String url;
    private static UnreliableProxy proxy;

    private ServiceProcess alone;
    private String shared;

    /** Placement itself. */
    public static String url() {
        return url;
    }

    /** What the scheduler takes for placement. */
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

    /** Another one, on that database, until {@link #stop}; reached without the proxy. */
    Map<String, String> startAlone(String databaseUrl) {
        shared = url;
        alone = ServiceProcess.start(PLACEMENT, databaseUrl);
        url = alone.url();
        return options(url);
    }

    /** Lost calls are lost by broken connections; a slow machine loses none. */
    private static Map<String, String> options(String url) {
        return Map.of("berth.placement-url", url, "berth.placement-timeout", "5M");
    }

    /** Nothing that the scheduler asks arrives, until {@link #restore}. */
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
