package io.berth.scheduler.config.service;

import io.berth.scheduler.config.OptionInvalid;
import io.berth.scheduler.config.OptionNames;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** The options of the running service, fixed at start. */
@Singleton
public class ConfiguredOptions {
    private static final Logger LOG = Logger.getLogger(ConfiguredOptions.class);
    private static final String PREFIX = "BERTH_SCHEDULER_";
    /** Upstream decides this by the age of its services; here the operator does. */
    private static final String OWNER_KEY = "berth.scheduler.require-owner-nova";
    private static final Set<String> SECRETS = Set.of("attestation_auth_blob");
    private static final int FIRST = 1;

    private final Config config;
    private final Options options;
    private final boolean requireOwnerNova;

    ConfiguredOptions(Config config) {
        this.config = config;
        this.options = parse(config);
        this.requireOwnerNova = config.getOptionalValue(OWNER_KEY, Boolean.class).orElse(false);
        refuseUnknownKeys(config);
    }

    /** Made at start, not at first use, so that a wrong value shows at once. */
    void start(@Observes @Priority(FIRST) StartupEvent starting) {
        config.getOptionalValue(NovaConfSource.PATH_KEY, String.class).ifPresent(path -> LOG.infof(
                "nova.conf read path=%s options_ignored=%d",
                path, NovaConfSource.read(path).ignored()));
    }

    public Options options() {
        return options;
    }

    public boolean requireOwnerNova() {
        return requireOwnerNova;
    }

    /** Text of every known option by nova's group and name, sorted; null where nothing is stated. Secrets are masked. */
    public Map<String, Map<String, String>> stated() {
        Map<String, Map<String, String>> stated = new TreeMap<>();
        OptionNames.byGroup().forEach((group, names) -> {
            Map<String, String> options = stated.computeIfAbsent(group, made -> new TreeMap<>());
            for (String name : names) {
                String value = config.getOptionalValue(OptionSource.key(group, name), String.class)
                        .orElse(null);
                options.put(name, value != null && SECRETS.contains(name) ? "***" : value);
            }
        });
        return stated;
    }

    private static Options parse(Config config) {
        try {
            return Options.parse(OptionSource.ofText(
                    key -> config.getOptionalValue(key, String.class).orElse(null)));
        } catch (OptionInvalid wrong) {
            String key = wrong.group() == null
                    ? "berth.scheduler." + wrong.option()
                    : OptionSource.key(wrong.group(), wrong.option());
            throw stop(key + " " + wrong.getMessage());
        }
    }

    private static void refuseUnknownKeys(Config config) {
        Set<String> known = new HashSet<>();
        known.add(canonical(OWNER_KEY));
        OptionNames.byGroup().forEach((group, options) ->
                options.forEach(option -> known.add(canonical(OptionSource.key(group, option)))));
        for (String name : config.getPropertyNames()) {
            String canonical = canonical(name);
            if (canonical.startsWith(PREFIX) && !known.contains(canonical)) {
                throw stop(name + " is no option of the scheduler");
            }
        }
    }

    /** The same for a key and for the environment variable that sets it. */
    private static String canonical(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    private static PreventFurtherStepsException stop(String line) {
        LOG.error(line);
        return new PreventFurtherStepsException(line, 1);
    }
}
