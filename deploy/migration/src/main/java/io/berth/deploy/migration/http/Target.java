package io.berth.deploy.migration.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a Placement service answers.
 *
 * @param url http or https, without a slash at the end; a path before that of the API is kept
 * @param token sent as x-auth-token
 */
public record Target(String url, String token) {
    /** @throws IllegalArgumentException with one line for the user */
    public static Target parse(String text, String token) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(text + " is no URL", e);
        }
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!isHttp || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null
                || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(text + " is no URL such as http://host:8778 or https://host/placement");
        }
        return new Target(text.replaceFirst("/+$", ""), token);
    }

    /** What stands before the API's own paths, in links too; empty mostly. */
    public String prefix() {
        return URI.create(url).getRawPath();
    }

    /** The token stays out of messages. */
    @Override
    public String toString() {
        return url;
    }
}
