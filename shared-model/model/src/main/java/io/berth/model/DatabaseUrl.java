package io.berth.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A PostgreSQL URL as operators write it, {@code postgresql://user:password@host:port/database}, taken apart
 * once. User and password are percent-decoded; port defaults to 5432. The text form never shows the password.
 */
public record DatabaseUrl(String host, int port, String database, String user, String password) {
    private static final String EXPECTED = "; expected postgresql://user:password@host:port/database";
    /** What to tell an operator who gave none. */
    public static final String ABSENT = "BERTH_DATABASE_URL is not set" + EXPECTED;
    private static final int DEFAULT_PORT = 5432;

    public DatabaseUrl {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    /** Throws IllegalArgumentException with one line of advice; the message never holds the password. */
    public static DatabaseUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            // Not e.getMessage(): it quotes the whole input, password included.
            throw bad("is not a URL (percent-encode special characters of user and password)");
        }
        if (!"postgresql".equals(uri.getScheme()) && !"postgres".equals(uri.getScheme())) {
            throw bad("must start with postgresql://");
        }
        if (uri.getHost() == null) {
            throw bad("names no host");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (path.length() < 2) {
            throw bad("names no database");
        }
        if (uri.getRawQuery() != null) {
            throw bad("takes no parameters; set them as quarkus.datasource.* options");
        }
        String userInfo = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        if (user.isEmpty()) {
            throw bad("names no user");
        }
        return new DatabaseUrl(
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                decode(path.substring(1)),
                decode(user),
                colon < 0 ? "" : decode(userInfo.substring(colon + 1)));
    }

    /** For the Vert.x client; every connection starts in the given schema. */
    public String reactiveUrl(String schema) {
        return "postgresql://" + host + ":" + port + "/" + database + "?search_path=" + schema;
    }

    /** For migrations. */
    public String jdbcUrl(String schema) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database + "?currentSchema=" + schema;
    }

    @Override
    public String toString() {
        return "postgresql://" + user + ":***@" + host + ":" + port + "/" + database;
    }

    /** @throws IllegalArgumentException where a % is none of an escape */
    static String decode(String text) {
        // URLDecoder reads forms, where + is a blank; in a URL it is a plus.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static IllegalArgumentException bad(String why) {
        return new IllegalArgumentException("BERTH_DATABASE_URL " + why + EXPECTED);
    }
}
