package io.berth.placement.config;

import io.berth.identity.StartRefusal;
import io.berth.identity.option.UnknownKeys;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Checks the configuration at start. Logs how many options of an operator's {@code placement.conf} are used. Stops the
 * start with one line in the log if that file cannot be read, if one of its supported options has an invalid value, or
 * if Berth's own configuration has an unknown key ({@link UnknownKeys#refuse}).
 */
@Singleton
class PlacementConfCheck {
    private static final Logger LOG = Logger.getLogger(PlacementConfCheck.class);
    /** The priority of an observer that must run before all others. */
    private static final int FIRST = 1;

    private final Config config;
    private final Optional<String> path;

    /** @param path path of an operator's own {@code placement.conf}; environment variables override its options */
    PlacementConfCheck(Config config, @ConfigProperty(name = PlacementConf.PATH_KEY) Optional<String> path) {
        this.config = config;
        this.path = path.filter(text -> !text.isBlank());
    }

    void start(@Observes @Priority(FIRST) StartupEvent starting) {
        UnknownKeys.refuse("placement", config);
        path.ifPresent(file -> {
            PlacementConf conf = PlacementConf.read(file);
            if (!conf.unusable().isEmpty()) {
                throw StartRefusal.because(
                        PlacementConf.PATH_KEY + "=" + file + ": " + String.join("; ", conf.unusable()));
            }
            LOG.infof("placement.conf read path=%s options_used=%d options_ignored=%d",
                    file, conf.values().size(), conf.ignoredCount());
        });
    }
}
