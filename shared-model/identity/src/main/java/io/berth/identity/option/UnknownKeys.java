package io.berth.identity.option;

import io.berth.identity.StartRefusal;
import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.EnvConfigSource;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jboss.logging.Logger;

/** Finds configuration keys that a service does not know, which are usually misspelt. */
public final class UnknownKeys {
    private static final Logger LOG = Logger.getLogger(UnknownKeys.class);

    private UnknownKeys() {}

    /**
     * Refuses unknown keys at start. Skips the JVM of tests, which has properties of the build.
     *
     * @param service placement or scheduler
     */
    public static void refuse(String service, Config config) {
        if (LaunchMode.current() != LaunchMode.TEST) {
            check(KnownKeys.of(service), config);
        }
    }

    /** Returns the environment variable that sets a key; a variable's name stays the same. */
    public static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    static void check(KnownKeys known, Config config) {
        var odd = new TreeSet<String>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean environment = source instanceof EnvConfigSource;
            for (String name : source.getPropertyNames()) {
                Optional<String> refusal = environment ? known.refuseVariable(name) : known.refuseKey(name);
                if (refusal.isPresent()) {
                    throw StartRefusal.because(refusal.get());
                }
                if (environment && known.isUnknownVariable(name)) {
                    odd.add(name);
                }
            }
        }
        if (!odd.isEmpty()) {
            LOG.warnf("environment variables that no service reads: %s", String.join(", ", odd));
        }
    }
}
