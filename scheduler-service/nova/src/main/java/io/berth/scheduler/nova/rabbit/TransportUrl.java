package io.berth.scheduler.nova.rabbit;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of {@code transport_url} in nova.conf:
 * {@code rabbit://user:password@host:port[,user:password@host2:port2]/vhost[?ssl=1]}.
 * <br>Source: oslo.messaging {@code transport.py} (TransportURL).
 *
 * @param brokers in the order of the URL; at least one
 * @param virtualHost {@code /} if the URL has none
 * @param tls whether the URL has the parameter {@code ssl} with the value 1, true, yes or on
 */
record TransportUrl(List<Broker> brokers, String virtualHost, boolean tls) {
    /** Groups: 1 hosts with credentials, separated by commas, 2 virtual host, 3 query. */
    private static final Pattern URL =
            Pattern.compile("(?:rabbit|kombu)(?:\\+\\w+)?://([^/?]*)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern BROKER =
            Pattern.compile("(?:([^:@]*)(?::([^@]*))?@)?(?:\\[([0-9A-Fa-f:.]+)]|([^:\\[\\]@]+))(?::(\\d{1,5}))?");
    private static final int DEFAULT_PORT = 5672;
    private static final int DEFAULT_TLS_PORT = 5671;
    private static final int PORT_MAX = 65_535;
    // The groups of BROKER.
    private static final int USER = 1;
    private static final int PASSWORD = 2;
    private static final int HOST_V6 = 3;
    private static final int HOST = 4;
    private static final int PORT_OF_URL = 5;

    TransportUrl {
        brokers = List.copyOf(brokers);
    }

    /**
     * A host of RabbitMQ with its credentials, which are guest and guest if the URL has none. Its {@code toString}
     * contains only host and port.
     */
    record Broker(String host, int port, String user, String password) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Parses a URL. Throws IllegalArgumentException if the URL is invalid. The message contains nothing of the URL,
     * because the URL has passwords.
     */
    static TransportUrl parse(String url) {
        Matcher parts = URL.matcher(url.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "berth.nova.transport-url must be rabbit://user:password@host:port/vhost");
        }
        boolean tls = isTls(parts.group(3));
        List<Broker> brokers = new ArrayList<>();
        for (String broker : parts.group(1).split(",", -1)) {
            brokers.add(broker(broker, brokers.size() + 1, tls));
        }
        String virtualHost = parts.group(2) == null || parts.group(2).isEmpty() ? "/" : decode(parts.group(2));
        return new TransportUrl(brokers, virtualHost, tls);
    }

    private static boolean isTls(String query) {
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            String[] nameAndValue = parameter.toLowerCase(Locale.ROOT).split("=", 2);
            if (nameAndValue[0].equals("ssl") && nameAndValue.length == 2
                    && List.of("1", "true", "yes", "on").contains(nameAndValue[1])) {
                return true;
            }
        }
        return false;
    }

    private static Broker broker(String text, int number, boolean tls) {
        Matcher parts = BROKER.matcher(text);
        int port = tls ? DEFAULT_TLS_PORT : DEFAULT_PORT;
        if (parts.matches() && parts.group(PORT_OF_URL) != null) {
            port = Integer.parseInt(parts.group(PORT_OF_URL));
        }
        if (!parts.matches() || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "berth.nova.transport-url: host " + number + " must be user:password@host:port");
        }
        return new Broker(
                parts.group(HOST) == null ? parts.group(HOST_V6) : parts.group(HOST),
                port,
                parts.group(USER) == null ? "guest" : decode(parts.group(USER)),
                parts.group(USER) == null
                        ? "guest"
                        : parts.group(PASSWORD) == null
                                ? ""
                                : decode(parts.group(PASSWORD)));
    }

    private static String decode(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("berth.nova.transport-url: a % must be followed by two hex digits");
        }
    }
}
