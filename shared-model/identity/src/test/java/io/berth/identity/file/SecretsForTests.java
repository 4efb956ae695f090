package io.berth.identity.file;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;

/** File of secrets with the initial {@link #entries}, which tests may replace. */
public final class SecretsForTests implements QuarkusTestResourceLifecycleManager {
    private Map<String, String> options = Map.of();
    private Path file;

    /** Returns an entry with the fewest allowed iterations: those of new entries take seconds in a cold JVM. */
    static String entry(String name, String secret, String projectAndRoles) {
        return name + " "
                + SecretHash.of(secret.toCharArray(), SecretHash.ITERATIONS_MIN, new SecureRandom()).render() + " "
                + projectAndRoles + "\n";
    }

    /** Returns the initial entries. */
    static String entries() {
        return entry("nova", "s3.cret", "p1 service") + entry("alice", "Grü:ße", "- reader,Member")
                + entry("ops", "s3cret", "system:all admin");
    }

    @Override
    public void init(Map<String, String> stated) {
        options = stated;
    }

    @Override
    public Map<String, String> start() {
        try {
            file = Files.writeString(Files.createTempFile("berth-secrets", ""), entries());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("berth.auth.strategy", options.get("strategy"), "berth.auth.file", file.toString());
    }

    @Override
    public void stop() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
