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

/** Finds configuration keys that no service reads, which are usually misspelled. */
public final class UnknownKeys {
    private static final Logger LOG = Logger.getLogger(UnknownKeys.class);

    private UnknownKeys() {}

    /**
     * Stops the start of a service if its configuration has an unknown key. An unknown environment variable is only
     * logged, unless its name is almost that of a variable of this service. Does nothing in the JVM of tests, which has
     * properties of the build.
     *
     * @param service placement or scheduler
     */
    public static void refuse(String service, Config config) {
        if (LaunchMode.current() != LaunchMode.TEST) {
            check(KnownKeys.of(service), config);
        }
    }

    /** Returns the name of the environment variable that sets a key. The name of a variable is returned unchanged. */
    public static String variableName(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    static void check(KnownKeys knownKeys, Config config) {
        var unknownVariables = new TreeSet<String>();
        for (ConfigSource source : config.getConfigSources()) {
            boolean isEnvironment = source instanceof EnvConfigSource;
            for (String name : source.getPropertyNames()) {
                Optional<String> refusal = isEnvironment
                        ? knownKeys.refusalOfVariable(name)
                        : knownKeys.refusalOfKey(name);
                if (refusal.isPresent()) {
                    throw StartRefusal.because(refusal.get());
                }
                if (isEnvironment && knownKeys.isUnknownVariable(name)) {
                    unknownVariables.add(name);
                }
            }
        }
        if (!unknownVariables.isEmpty()) {
            LOG.warnf("environment variables that no service reads: %s", String.join(", ", unknownVariables));
        }
    }
}
