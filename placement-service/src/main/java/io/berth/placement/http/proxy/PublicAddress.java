package io.berth.placement.http.proxy;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The address of this service from the client's point of view: the beginning of links and {@code Location}.
 *
 * <p>Option: {@code berth.placement.oslo-middleware.enable-proxy-headers-parsing}, false unless set. Only if it is true
 * are {@code Forwarded}, {@code X-Forwarded-Proto}, {@code -Host} and {@code -Prefix} read, because any client could
 * send them. {@code X-Forwarded-For} has no effect: nothing here uses the client's address. Source: {@code
 * oslo_middleware/http_proxy_to_wsgi.py}; unlike there, quotes around a value and a slash at the end of a prefix do not
 * become part of the address.
 */
@Singleton
public class PublicAddress {
    private final boolean proxyTrusted;

    /**
     * @param proxyTrusted whether links begin with the address in {@code Forwarded}, {@code X-Forwarded-Proto}, {@code
     *         -Host} and {@code -Prefix}: only if every request comes through a proxy that sets or removes them
     */
    PublicAddress(
            @ConfigProperty(name = "berth.placement.oslo-middleware.enable-proxy-headers-parsing",
                    defaultValue = "false") boolean proxyTrusted) {
        this.proxyTrusted = proxyTrusted;
    }

    /** Returns the path in front of the API's own paths, such as {@code /placement}; usually empty. */
    public String prefix(RoutingContext http) {
        String forwarded = proxyTrusted ? http.request().getHeader("x-forwarded-prefix") : null;
        return (forwarded == null ? "" : forwarded.replaceFirst("/$", "")) + PathPrefix.of(http);
    }

    /** Returns scheme and authority, such as {@code https://placement.example:8443}. */
    public String origin(HttpServerRequest request) {
        UnaryOperator<String> forwarded = proxyTrusted ? name -> forwarded(name, request::getHeader) : name -> null;
        String scheme = or(forwarded.apply("proto"), request.scheme());
        String host = or(forwarded.apply("host"), authority(request));
        String defaultPort = scheme.equals("https") ? ":443" : ":80";
        return scheme + "://"
                + (host.endsWith(defaultPort) ? host.substring(0, host.length() - defaultPort.length()) : host);
    }

    /**
     * Returns the value from the proxy nearest to the client; null if there is none.
     *
     * @param name {@code proto} or {@code host}
     * @param headers returns the value of a header; null if it was not sent
     */
    static @Nullable String forwarded(String name, UnaryOperator<String> headers) {
        String standard = headers.apply("forwarded");
        if (isGiven(standard)) {
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
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Returns the authority that the client named; HTTP/2 has no header for it. */
    private static String authority(HttpServerRequest request) {
        String host = request.getHeader("host");
        return host != null ? host : request.authority().toString();
    }

    private static String or(@Nullable String value, String other) {
        return isGiven(value) ? value : other;
    }

    private static boolean isGiven(@Nullable String value) {
        return value != null && !value.isEmpty();
    }
}
