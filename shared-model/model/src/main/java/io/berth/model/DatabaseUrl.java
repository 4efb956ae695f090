package io.berth.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A PostgreSQL URL in the form {@code postgresql://user:password@host:port/database?sslmode=MODE&sslrootcert=FILE}, or
 * with {@code postgres}. Password, port (default 5432) and parameters are optional. User, password, database and
 * parameter values are percent-decoded. The text form never shows the password.
 *
 * @param password empty if the URL has none
 * @param sslMode one of {@link #SSL_MODES}; {@code disable} if the URL names none. The meaning is that of libpq, but
 *         only {@code verify-ca} and {@code verify-full} use {@code sslRootCert}
 * @param sslRootCert path of the PEM file with the certificate authorities that the client trusts; empty if the URL
 *         names none
 */
public record DatabaseUrl(
        String host, int port, String database, String user, String password, String sslMode, String sslRootCert) {
    private static final String EXPECTED = "; expected postgresql://user:password@host:port/database";
    private static final List<String> SSL_MODES =
            List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
    /** The error message if no URL is configured. */
    public static final String ABSENT = "BERTH_DATABASE_URL is not set" + EXPECTED;
    private static final int DEFAULT_PORT = 5432;

    public DatabaseUrl {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
        Objects.requireNonNull(sslMode, "sslMode");
        Objects.requireNonNull(sslRootCert, "sslRootCert");
    }

    /**
     * Parses the URL.
     *
     * @throws IllegalArgumentException with a one-line message for the operator, which never contains the password
     */
    public static DatabaseUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            // Omits e.getMessage(), which quotes the whole input, including the password.
            throw invalid("is not a URL (percent-encode special characters of user and password)");
        }
        if (!"postgresql".equals(uri.getScheme()) && !"postgres".equals(uri.getScheme())) {
            throw invalid("must start with postgresql://");
        }
        if (uri.getHost() == null) {
            String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
            if (authority.indexOf(',', authority.lastIndexOf('@') + 1) >= 0) {
                throw invalid("names several hosts: give the address that leads to the primary");
            }
            throw invalid("names no host");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (path.length() < 2) {
            throw invalid("names no database");
        }
        String sslMode = SSL_MODES.getFirst();
        String sslRootCert = "";
        for (String parameter : uri.getRawQuery() == null ? new String[0] : uri.getRawQuery().split("&")) {
            String[] pair = parameter.split("=", 2);
            String value = pair.length == 2 ? decode(pair[1]) : "";
            switch (pair[0]) {
                case "sslmode" -> sslMode = value;
                case "sslrootcert" -> sslRootCert = value;
                default -> throw invalid("has the parameter " + pair[0] + "; only sslmode and sslrootcert are allowed");
            }
        }
        if (!SSL_MODES.contains(sslMode)) {
            throw invalid("has sslmode=" + sslMode + "; must be one of " + String.join(", ", SSL_MODES));
        }
        String userInfo = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        if (user.isEmpty()) {
            throw invalid("names no user");
        }
        return new DatabaseUrl(
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                decode(path.substring(1)),
                decode(user),
                colon < 0 ? "" : decode(userInfo.substring(colon + 1)),
                sslMode,
                sslRootCert);
    }

    /** Returns whether the server's certificate is verified; then {@code sslRootCert} must not be empty. */
    public boolean isServerVerified() {
        return sslMode.startsWith("verify-");
    }

    /** Returns this URL, with {@code file} as {@code sslRootCert} if that is empty. */
    public DatabaseUrl withDefaultRootCert(String file) {
        return sslRootCert.isEmpty() ? new DatabaseUrl(host, port, database, user, password, sslMode, file) : this;
    }

    /**
     * Returns the URL for the Vert.x client, without user, password and TLS settings. Every connection has {@code
     * schema} as its search path.
     */
    public String reactiveUrl(String schema) {
        return "postgresql://" + host + ":" + port + "/" + database + "?search_path=" + schema;
    }

    /**
     * Returns the JDBC URL for migrations, with TLS settings, without user and password. Every connection has {@code
     * schema} as its search path.
     */
    public String jdbcUrl(String schema) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database + "?currentSchema=" + schema
                + "&sslmode=" + sslMode
                + (isServerVerified() ? "&sslrootcert=" + URLEncoder.encode(sslRootCert, StandardCharsets.UTF_8) : "");
    }

    @Override
    public String toString() {
        return "postgresql://" + user + ":***@" + host + ":" + port + "/" + database + "?sslmode=" + sslMode;
    }

    /**
     * Decodes percent escapes.
     *
     * @throws IllegalArgumentException for a % that begins no escape
     */
    static String decode(String text) {
        // URLDecoder reads forms, where + is a blank; in a URL it is a plus.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException invalid(String why) {
        return new IllegalArgumentException("BERTH_DATABASE_URL " + why + EXPECTED);
    }
}
