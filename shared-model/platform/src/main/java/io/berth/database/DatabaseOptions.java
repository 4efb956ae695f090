package io.berth.database;

import io.berth.model.DatabaseUrl;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Turns {@code berth.database-url} (BERTH_DATABASE_URL) into Quarkus' datasource options, so that the URL is parsed in
 * one place. Options that are set with Quarkus' own keys take precedence.
 */
public final class DatabaseOptions {
    /** Above application.properties (250), below the environment (300). */
    public static final int ORDINAL = 275;

    /**
     * URL of the database: {@code postgresql://user:password@host:port/database}, with TLS {@code
     * ?sslmode=verify-full&sslrootcert=FILE}; required. A secret.
     */
    private static final String KEY = "berth.database-url";

    /**
     * The authorities that a database's certificate is verified by if its URL names none; declared with the
     * certificates of HTTP.
     */
    private static final String CA = "berth.tls.ca";

    /** True if the service needs a database: not while it is built, and not in tests that supply their own. */
    private static volatile boolean isNeeded;

    private DatabaseOptions() {}

    /** Makes a missing URL end the start, with one line. */
    public static void need() {
        isNeeded = true;
    }

    /**
     * Returns one source, or none if no URL is configured.
     *
     * @param schema the schema in which every connection starts
     * @param datasources prefixes of Quarkus' options; the first is {@code quarkus.datasource}, on which migrations run
     */
    public static List<ConfigSource> sources(ConfigSourceContext context, String schema, List<String> datasources) {
        ConfigValue configured = context.getValue(KEY);
        if (isAbsent(configured)) {
            if (isNeeded && isAbsent(context.getValue(datasources.getFirst() + ".reactive.url"))) {
                throw new ConfigurationException(DatabaseUrl.ABSENT);
            }
            return List.of();
        }
        ConfigValue ca = context.getValue(CA);
        DatabaseUrl url = parsed(configured.getValue()).orRootCert(isAbsent(ca) ? "" : ca.getValue());
        if (url.isVerified() && url.sslRootCert().isEmpty()) {
            throw new ConfigurationException("BERTH_DATABASE_URL has sslmode=" + url.sslMode()
                    + " and names no authorities; add &sslrootcert=FILE, or set BERTH_TLS_CA");
        }
        Map<String, String> options = new HashMap<>();
        options.put(datasources.getFirst() + ".jdbc.url", url.jdbcUrl(schema));
        for (String datasource : datasources) {
            options.put(datasource + ".reactive.url", url.reactiveUrl(schema));
            options.put(datasource + ".username", url.user());
            options.put(datasource + ".password", url.password());
            putTls(options, datasource + ".reactive.", url);
        }
        // The values are not expressions, so their dollar signs are escaped.
        options.replaceAll((option, value) -> value.replace("$", "$$"));
        return List.of(new PropertiesConfigSource(options, KEY, ORDINAL));
    }

    private static void putTls(Map<String, String> options, String prefix, DatabaseUrl url) {
        options.put(prefix + "postgresql.ssl-mode", url.sslMode());
        if (url.isVerified()) {
            options.put(prefix + "trust-certificate-pem", "true");
            options.put(prefix + "trust-certificate-pem.certs", url.sslRootCert());
        } else {
            // Any certificate is accepted if it is not to be verified, as libpq does.
            options.put(prefix + "trust-all", "true");
        }
        if (url.sslMode().equals("verify-full")) {
            options.put(prefix + "hostname-verification-algorithm", "HTTPS");
        }
    }

    private static boolean isAbsent(ConfigValue configured) {
        return configured == null || configured.getValue() == null || configured.getValue().isBlank();
    }

    /**
     * Parses the URL. For an invalid one it throws ConfigurationException, for which Quarkus ends with the message and
     * without a stack trace.
     */
    private static DatabaseUrl parsed(String text) {
        try {
            return DatabaseUrl.parse(text);
        } catch (IllegalArgumentException bad) {
            throw new ConfigurationException(bad.getMessage());
        }
    }
}
