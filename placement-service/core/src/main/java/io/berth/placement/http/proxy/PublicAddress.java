package io.berth.placement.http.proxy;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Determines the address at which the client reaches this service: the beginning of links and of the header {@code
 * Location}.
 *
 * <p>Option: {@code berth.placement.oslo-middleware.enable-proxy-headers-parsing}, false unless set. The headers {@code
 * Forwarded}, {@code X-Forwarded-Proto}, {@code X-Forwarded-Host} and {@code X-Forwarded-Prefix} are used only if the
 * option is true, because any client could send them. If a request has {@code Forwarded}, {@code X-Forwarded-Proto} and
 * {@code X-Forwarded-Host} are ignored. {@code X-Forwarded-For} is not used. Source: {@code
 * oslo_middleware/http_proxy_to_wsgi.py}; unlike upstream, removes quotes around a value and a slash at the end of a
 * prefix.
 */
@Singleton
public class PublicAddress {
    private final boolean proxyTrusted;

    /**
     * @param proxyTrusted whether links begin with the address in {@code Forwarded}, or in {@code X-Forwarded-Proto},
     *         {@code X-Forwarded-Host} and {@code X-Forwarded-Prefix}; set this only if every request passes a proxy
     *         that sets or removes these headers
     */
    PublicAddress(
            @ConfigProperty(name = "berth.placement.oslo-middleware.enable-proxy-headers-parsing",
                    defaultValue = "false") boolean proxyTrusted) {
        this.proxyTrusted = proxyTrusted;
    }

    /** Returns the prefix of all paths in the client's URLs, such as {@code /placement}; usually an empty string. */
    public String prefix(RoutingContext http) {
        String forwarded = proxyTrusted ? http.request().getHeader("x-forwarded-prefix") : null;
        return (forwarded == null ? "" : forwarded.replaceFirst("/$", "")) + PathPrefix.of(http);
    }

    /**
     * Returns the scheme and the authority, such as {@code https://placement.example:8443}, without the scheme's
     * default port.
     */
    public String origin(HttpServerRequest request) {
        UnaryOperator<String> forwardedPart = proxyTrusted ? name -> forwarded(name, request::getHeader) : name -> null;
        String scheme = orElse(forwardedPart.apply("proto"), request.scheme());
        String host = orElse(forwardedPart.apply("host"), authority(request));
        String defaultPort = scheme.equals("https") ? ":443" : ":80";
        return scheme + "://"
                + (host.endsWith(defaultPort) ? host.substring(0, host.length() - defaultPort.length()) : host);
    }

    /**
     * Returns the value of a part of {@code Forwarded} that the first proxy after the client wrote. If the request has
     * no {@code Forwarded}, returns the value of {@code X-Forwarded-Proto} or {@code X-Forwarded-Host}. Returns null if
     * there is no value.
     *
     * @param name {@code proto} or {@code host}
     * @param headers returns the value of a header; null if the request does not have it
     */
    static @Nullable String forwarded(String name, UnaryOperator<String> headers) {
        String standard = headers.apply("forwarded");
        if (isPresent(standard)) {
            for (String pair : standard.split(",", 2)[0].split(";")) {
                String[] parts = pair.split("=", 2);
                if (parts.length == 2 && parts[0].strip().equalsIgnoreCase(name)) {
                    return unquoted(parts[1].strip());
                }
            }
            return null;
        }
        return headers.apply("x-forwarded-" + name);
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Returns the authority of the request. A request over HTTP/2 may have no header Host. */
    private static String authority(HttpServerRequest request) {
        String host = request.getHeader("host");
        return host != null ? host : request.authority().toString();
    }

    private static String orElse(@Nullable String value, String other) {
        return value != null && isPresent(value) ? value : other;
    }

    private static boolean isPresent(@Nullable String value) {
        return value != null && !value.isEmpty();
    }
}
