package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.berth.deploy.process.SelfSigned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * RabbitMQ server for tests, from Debian's package rabbitmq-server. Its node, ports, cookie and data, and the name
 * service (epmd) that it needs, are removed when it is closed.
 */
public final class RabbitForTests implements AutoCloseable {
    private static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final Duration START_MAX = Duration.ofMinutes(5);

    private final Path folder;
    private final int port = freePort();
    private final int tlsPort = freePort();
    private final int epmdPort = freePort();
    private final int distributionPort = freePort();
    private final Process epmd;
    private Process server;

    /** Returns why no server can be started; null if one can. */
    public static String missing() {
        return Files.isExecutable(SERVER) && epmdPath() != null
                ? null
                : "no RabbitMQ on this machine (Debian: apt-get install rabbitmq-server)";
    }

    private static Path epmdPath() {
        return List.of(Path.of("/usr/bin/epmd"), Path.of("/usr/local/bin/epmd")).stream()
                .filter(Files::isExecutable).findFirst().orElse(null);
    }

    public RabbitForTests() {
        try {
            folder = Files.createTempDirectory("berth-rabbit");
            SelfSigned.of("ip:127.0.0.1").writeCertificate(certificate()).writeKey(folder.resolve("key.pem"));
            Files.writeString(folder.resolve("rabbitmq.conf"), """
                    listeners.tcp.1 = 127.0.0.1:%d
                    listeners.ssl.1 = 127.0.0.1:%d
                    ssl_options.certfile = %s
                    ssl_options.keyfile = %s
                    log.file.level = warning
                    vm_memory_high_watermark.absolute = 256MB
                    disk_free_limit.absolute = 1MB
                    """.formatted(port, tlsPort, certificate(), folder.resolve("key.pem")));
            Files.writeString(folder.resolve("enabled_plugins"), "[].");
            Files.writeString(folder.resolve("advanced.config"), "[].");
            epmd = new ProcessBuilder(
                    epmdPath().toString(), "-address", "127.0.0.1", "-port", String.valueOf(epmdPort))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("epmd.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    /** Returns the PEM file of the server's certificate at {@link #tlsUrl}. */
    public Path certificate() {
        return folder.resolve("certificate.pem");
    }

    private static int freePort() {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("HOME", folder.toString());
        environment.put("RABBITMQ_NODENAME", "berth" + port + "@localhost");
        environment.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq").toString());
        environment.put("RABBITMQ_ADVANCED_CONFIG_FILE", folder.resolve("advanced.config").toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", folder.resolve("nothing").toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        environment.put("RABBITMQ_DIST_PORT", String.valueOf(distributionPort));
        environment.put("ERL_EPMD_PORT", String.valueOf(epmdPort));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}");
        return environment;
    }

    /** Starts the server, and returns when it accepts connections. */
    public void start() {
        ProcessBuilder builder = new ProcessBuilder(SERVER.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()));
        builder.environment().putAll(environment());
        try {
            server = builder.start();
            long until = System.nanoTime() + START_MAX.toNanos();
            while (!takesConnections()) {
                if (!server.isAlive() || System.nanoTime() > until) {
                    throw new IllegalStateException(
                            "RabbitMQ did not start: " + Files.readString(folder.resolve("server.log")));
                }
                Thread.sleep(200);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean takesConnections() {
        try (Connection probe = connect()) {
            return probe.isOpen();
        } catch (IOException | IllegalStateException notYet) {
            return false;
        }
    }

    /** Kills the server at once, as if its machine had died. */
    public void kill() {
        List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
        server.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        try {
            server.waitFor(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public String url() {
        return "rabbit://guest:guest@127.0.0.1:" + port + "/";
    }

    public String tlsUrl() {
        return "rabbit://guest:guest@127.0.0.1:" + tlsPort + "/?ssl=1";
    }

    public int port() {
        return port;
    }

    public Connection connect() throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        try {
            return factory.newConnection();
        } catch (TimeoutException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        kill();
        epmd.destroyForcibly();
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }
}
