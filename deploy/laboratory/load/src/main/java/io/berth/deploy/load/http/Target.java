package io.berth.deploy.load.http;

import java.net.URI;
import java.util.Objects;
import java.util.Set;

/**
 * The address of a measured service, and the token to send.
 *
 * @param host a name or address; an IPv6 address without brackets
 * @param prefix the path that precedes the path of every request; empty, or with a leading and no trailing slash
 * @param token the value of the header {@code x-auth-token}
 */
public record Target(String host, int port, String prefix, String token) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "::1");

    public Target {
        Objects.requireNonNull(host);
        Objects.requireNonNull(prefix);
        Objects.requireNonNull(token);
    }

    /**
     * Parses a URL. The port is 80 if the URL has none.
     *
     * @param url {@code http://host[:port][/prefix]}
     * @throws IllegalArgumentException if the text is not such a URL; the message is one line for the user
     */
    public static Target parse(String url, String token) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a URL: " + url, e);
        }
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IllegalArgumentException("not a URL of the form http://host:port: " + url);
        }
        String path = uri.getPath() == null ? "" : uri.getPath();
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        return new Target(host, uri.getPort() < 0 ? 80 : uri.getPort(), path, token);
    }

    public boolean isLoopback() {
        return LOOPBACK.contains(host) || host.matches("127(\\.\\d{1,3}){3}");
    }

    @Override
    public String toString() {
        return "http://%s:%d%s".formatted(host.contains(":") ? "[" + host + "]" : host, port, prefix);
    }
}
