package io.berth.deploy.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The URL of a service.
 *
 * @param url an http or https URL without a slash at the end; it may have a path, which precedes the API's own paths
 */
public record Endpoint(String url) {
    /**
     * Parses a URL as the user typed it, with or without a slash at the end.
     *
     * @throws IllegalArgumentException if the text is not a URL of http or https with a host and without a query,
     *         fragment or user; the message is one line for the user
     */
    public static Endpoint parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(text + ": must be a URL such as http://host:8778", e);
        }
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!isHttp || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null
                || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    text + ": must be a URL such as http://host:8778 or https://host/placement");
        }
        return new Endpoint(text.replaceFirst("/+$", ""));
    }

    /** Returns the path that precedes the API's own paths in URLs and in the links of responses; usually empty. */
    public String prefix() {
        return URI.create(url).getRawPath();
    }

    @Override
    public String toString() {
        return url;
    }
}
