package io.berth.deploy.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The URL of a service.
 *
 * @param url an http or https URL without a slash at the end; it may have a path, which precedes the API's own paths
 */
public record Endpoint(String url) {
    /** @throws IllegalArgumentException if the text is not such a URL, with one line for the user */
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

    /** Returns the path that precedes the API's own paths, also in links of responses; usually empty. */
    public String prefix() {
        return URI.create(url).getRawPath();
    }

    @Override
    public String toString() {
        return url;
    }
}
