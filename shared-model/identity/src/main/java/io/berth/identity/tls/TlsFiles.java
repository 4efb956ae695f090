package io.berth.identity.tls;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Configures TLS by three keys of Berth's own, because Quarkus' keys for the certificate and its key contain an index,
 * which an environment variable cannot express. Quarkus' own keys take precedence if they are set in environment
 * variables or system properties.
 */
public final class TlsFiles implements ConfigSourceFactory {
    /** The ordinal of this configuration source: above application.properties (250), below the environment (300). */
    private static final int ORDINAL = 275;
    /**
     * PEM file of the certificate that the HTTPS port presents, followed by its chain; absent: as {@code quarkus.tls}
     * configures.
     */
    private static final String CERTIFICATE = "berth.tls.certificate";
    /** PEM file of the private key of {@code berth.tls.certificate}, unencrypted. */
    private static final String KEY = "berth.tls.key";
    /**
     * PEM file of the certificate authorities that are trusted to sign certificates of servers and clients; absent:
     * those of the JVM.
     */
    private static final String CA = "berth.tls.ca";
    private static final Map<String, String> QUARKUS_KEYS = Map.of(
            CERTIFICATE, "quarkus.tls.key-store.pem.0.cert",
            KEY, "quarkus.tls.key-store.pem.0.key",
            CA, "quarkus.tls.trust-store.pem.certs");

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        Map<String, String> options = new HashMap<>();
        QUARKUS_KEYS.forEach((berthKey, quarkusKey) -> {
            ConfigValue value = context.getValue(berthKey);
            if (value != null && value.getValue() != null && !value.getValue().isBlank()) {
                options.put(quarkusKey, value.getValue());
            }
        });
        if (options.isEmpty()) {
            return List.of();
        }
        // The HTTPS port reloads its certificate every minute. The service's own HTTP clients keep the certificate with
        // which they started. TLS handshakes during a reload are refused. If a reload reads a new certificate before
        // its key is written, all handshakes are refused until the next reload.
        options.put("quarkus.tls.reload-period", "1M");
        return List.of(new PropertiesConfigSource(options, "berth.tls", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }
}
