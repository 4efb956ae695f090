package io.berth.model;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The database URL of the option {@code connection} in nova.conf or placement.conf: {@code
 * mysql+pymysql://user:password@host:port/database?charset=utf8}, or with postgresql. {@link #toString} has host, port
 * and database only.
 * <br>Source: SQLAlchemy's URLs; nova {@code objects/cell_mapping.py} (_format_url).
 *
 * @param caFile the parameter {@code ssl_ca} or {@code sslrootcert}: path of the PEM file with the certificate
 *         authorities; if it is set, the server's certificate and name are verified; if it is empty, TLS is not used
 */
public record SqlAlchemyUrl(
        Kind kind, String host, int port, String user, String password, String database, String caFile) {
    /** Groups: 1 kind, 2 user, 3 password, 4 IPv6 address, 5 other host, 6 port, 7 database, 8 query. */
    private static final Pattern URL = Pattern.compile(
            "(mysql|mariadb|postgresql|postgres)(?:\\+\\w+)?://(?:([^:@/]*)(?::([^@]*))?@)?"
                    + "(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]@/?]+))(?::(\\d{1,5}))?/([^/?#]+)(?:\\?([^#]*))?");
    /** Values of the parameters ssl, sslmode and ssl_mode with which a connection may be without TLS. */
    private static final Set<String> WITHOUT_TLS =
            Set.of("", "0", "false", "disable", "disabled", "allow", "prefer", "preferred");
    /** Any URL. Groups: 1 scheme, 2 user, 3 password, 4 host, 5 port, 6 path, 7 query, 8 fragment. */
    private static final Pattern ANY_URL = Pattern.compile(
            "([\\w+]+)://(?:([^:@/]*)(?::([^@/]*))?@)?(\\[[^\\]]+]|[^:/?#]*)(?::(\\d+))?"
                    + "(/[^?#]*)?(?:\\?([^#]*))?(?:#(.*))?");
    private static final int PORT_MAX = 65_535;

    /** The database system, with its default port. */
    public enum Kind {
        MYSQL(3306),
        POSTGRESQL(5432);

        private final int port;

        Kind(int port) {
            this.port = port;
        }
    }

    /**
     * Parses the URL.
     *
     * @param option name of the option, for messages
     * @throws IllegalArgumentException with a message that does not quote the URL, which may contain a password
     */
    public static SqlAlchemyUrl parse(String url, String option) {
        Matcher parts = URL.matcher(url.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(option
                    + " must be mysql+pymysql://user:password@host:port/database or postgresql://…");
        }
        Kind kind = parts.group(1).startsWith("p") ? Kind.POSTGRESQL : Kind.MYSQL;
        int port = parts.group(6) == null ? kind.port : Integer.parseInt(parts.group(6));
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(option + ": port " + port + " must be 1 to " + PORT_MAX);
        }
        return new SqlAlchemyUrl(
                kind,
                parts.group(5) == null ? parts.group(4) : parts.group(5),
                port,
                decodePart(group(parts, 2), option),
                decodePart(group(parts, 3), option),
                decodePart(group(parts, 7), option),
                caFile(group(parts, 8), option));
    }

    /**
     * Returns the path of the file of certificate authorities; empty if the query does not request TLS. Throws
     * IllegalArgumentException if the query requests TLS without naming this file, and for an unsupported TLS option,
     * because a connection without the option would be less secure than requested.
     */
    private static String caFile(String query, String option) {
        String file = "";
        String tlsParameter = "";
        for (String parameter : query.split("&")) {
            String[] pair = parameter.split("=", 2);
            String name = pair[0];
            if (!name.startsWith("ssl")) {
                continue;
            }
            String value = pair.length == 1 ? "" : decodePart(pair[1], option);
            switch (name) {
                case "ssl_ca", "sslrootcert" -> file = value;
                case "ssl", "sslmode", "ssl_mode" ->
                    tlsParameter = WITHOUT_TLS.contains(value.toLowerCase(Locale.ROOT)) ? tlsParameter : name;
                // Even if its value disables a check, this option requests TLS.
                case "ssl_verify_cert", "ssl_verify_identity", "ssl_check_hostname" -> tlsParameter = name;
                // Ignored: a connection uses TLS exactly if the query names a file of certificate authorities.
                case "ssl_disabled" -> {}
                default -> throw new IllegalArgumentException(option + ": " + name + " is not supported; leave it out");
            }
        }
        if (file.isEmpty() && !tlsParameter.isEmpty()) {
            throw new IllegalArgumentException(option + ": " + tlsParameter
                    + " requests TLS: name the certificate authorities with ssl_ca=FILE (mysql) or sslrootcert=FILE"
                    + " (postgresql)");
        }
        return file;
    }

    /** Returns the text of a group; empty if the group did not match. */
    private static String group(Matcher parts, int number) {
        return Objects.requireNonNullElse(parts.group(number), "");
    }

    private static String decodePart(String part, String option) {
        try {
            return DatabaseUrl.decode(part);
        } catch (IllegalArgumentException broken) {
            throw new IllegalArgumentException(option + ": a % must be followed by two hex digits");
        }
    }

    /**
     * Fills the template of a cell's URL with parts of the URL of {@code [database] connection}: {@code {scheme}},
     * {@code {username}}, {@code {password}}, {@code {hostname}}, {@code {port}}, {@code {path}}, {@code {query}},
     * {@code {fragment}}. A part that the URL lacks becomes empty.
     *
     * @param template a URL, with or without these placeholders
     * @param local the URL of {@code [database] connection}; empty if none is configured
     * @throws IllegalArgumentException if the template has placeholders and {@code local} is not a URL
     */
    public static String fillTemplate(String template, String local) {
        if (!template.contains("{")) {
            return template;
        }
        Matcher parts = ANY_URL.matcher(local.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("a cell's database_connection is a template: set berth.nova.database to"
                    + " [database] connection of nova.conf");
        }
        // Removes the brackets around an IPv6 address, because the template itself has them.
        String text = template.replace("{hostname}", group(parts, 4).replaceAll("[\\[\\]]", ""));
        Map<String, Integer> groups = Map.of(
                "scheme", 1, "username", 2, "password", 3, "port", 5, "query", 7, "fragment", 8);
        for (Map.Entry<String, Integer> group : groups.entrySet()) {
            text = text.replace("{" + group.getKey() + "}", group(parts, group.getValue()));
        }
        return text.replace("{path}", group(parts, 6).replaceFirst("^/+", ""));
    }

    @Override
    public String toString() {
        return host + ":" + port + "/" + database;
    }
}
