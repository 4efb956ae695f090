package io.berth.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.annotation.Nullable;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks a request's head before Vert.x gets it, and normalizes the request's target to the form {@code /path?query}
 * with only characters that are valid in a URI. As with upstream's servers, a client may send raw UTF-8 and percent
 * signs that begin no escape; both are escaped.
 * <br>Source: RFC 9112, 3.2 and 6.1; RFC 3986.
 */
final class RequestHead {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{0,5})?");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)https?://([^/?#]*)(.*)");
    /** The characters other than letters and digits that are valid in a target. */
    private static final String TARGET_PUNCTUATION = "-._~:/?[]@!$&'()*+,;=";
    /**
     * The last valid value of the header Host. Most requests have the same value, and matching the expression costs
     * more than all other checks.
     */
    private static volatile String lastHost = "";

    /** The approximate heap bytes of a head's objects, in addition to its text. */
    private static final long HEAD_BYTES = 512;
    /** The approximate heap bytes of the objects of one header, in addition to its text. */
    private static final long HEADER_BYTES = 96;

    private RequestHead() {}

    /** Returns the approximate heap bytes of the head. */
    static long bytesOf(HttpRequest request) {
        long bytes = HEAD_BYTES + request.uri().length();
        for (var iterator = request.headers().iteratorCharSequence(); iterator.hasNext();) {
            Map.Entry<CharSequence, CharSequence> header = iterator.next();
            bytes += HEADER_BYTES + header.getKey().length() + header.getValue().length();
        }
        return bytes;
    }

    /** The status and the message of the response to an invalid head. */
    record Flaw(int status, String detail) {}

    /**
     * Returns the first flaw of the head; null for a valid head. Replaces the target by its normalized form. Also sets
     * the header Host: for an absolute target to its host, for HTTP/1.0 without this header to the local address.
     *
     * @param local the address at which the request arrived
     */
    @Nullable
    static Flaw checkAndNormalize(HttpRequest request, SocketAddress local) {
        if (!request.decoderResult().isSuccess()) {
            String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
            return length == null || DIGITS.matcher(length).matches()
                    ? flawOf(request.decoderResult().cause())
                    : new Flaw(400, "content-length header must be an integer");
        }
        HttpVersion version = request.protocolVersion();
        if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
            return new Flaw(400, "Only HTTP/1.1 is served.");
        }
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty() && (codings.size() > 1 || !codings.getFirst().strip().equalsIgnoreCase("chunked"))) {
            return new Flaw(400, "The only transfer encoding is chunked.");
        }
        return normalizeTarget(request, local);
    }

    private static Flaw flawOf(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException line -> new Flaw(414, "The request's first line is too long.");
            case TooLongHttpHeaderException headers -> new Flaw(431, "The request's headers are too long.");
            default -> new Flaw(400, "The request is not HTTP/1.1.");
        };
    }

    private static @Nullable Flaw normalizeTarget(HttpRequest request, SocketAddress local) {
        String target = request.uri();
        if (!target.startsWith("/")) {
            var absolute = ABSOLUTE.matcher(target);
            if (!absolute.matches()) {
                return new Flaw(400, "The request's target must be a path.");
            }
            request.headers().set(HttpHeaderNames.HOST, absolute.group(1));
            target = absolute.group(2).startsWith("/") ? absolute.group(2) : "/" + absolute.group(2);
        }
        request.setUri(encodeTarget(target));
        return checkHost(request, local);
    }

    private static @Nullable Flaw checkHost(HttpRequest request, SocketAddress local) {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_0)
                && local instanceof InetSocketAddress address) {
            String host = address.getAddress().getHostAddress().replaceFirst("%.*", "");
            request.headers().set(
                    HttpHeaderNames.HOST, (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
            return null;
        }
        if (hosts.size() != 1 || !isHost(hosts.getFirst())) {
            return new Flaw(400, "The request needs one valid Host header.");
        }
        return null;
    }

    private static boolean isHost(String text) {
        if (text.equals(lastHost)) {
            return true;
        }
        boolean isValid = HOST.matcher(text).matches();
        if (isValid) {
            lastHost = text;
        }
        return isValid;
    }

    private static boolean isEscape(String text, int index) {
        return index + 2 < text.length()
                && Character.digit(text.charAt(index + 1), 16) >= 0
                && Character.digit(text.charAt(index + 2), 16) >= 0;
    }

    /**
     * Returns whether a character that is valid in a query must be encoded in the path. Brackets are invalid in a path,
     * and two slashes at the start of a target would introduce a host.
     */
    private static boolean mustEncodeInPath(char c, int index) {
        return c == '[' || c == ']' || c == '/' && index == 1;
    }

    /** Returns the target with invalid characters encoded; the same object if all characters are valid. */
    private static String encodeTarget(String target) {
        StringBuilder encoded = null;
        boolean isInPath = true;
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            isInPath &= c != '?';
            boolean isValid = c < 128 && (Character.isLetterOrDigit(c) || TARGET_PUNCTUATION.indexOf(c) >= 0)
                    && !(isInPath && mustEncodeInPath(c, i))
                    || c == '%' && isEscape(target, i);
            if (encoded == null && !isValid) {
                encoded = new StringBuilder(target.length() + 32).append(target, 0, i);
            }
            if (encoded != null) {
                if (isValid) {
                    encoded.append(c);
                } else {
                    // Netty decodes each byte of the target to one character, so a character is one byte here.
                    encoded.append('%').append(Character.forDigit(c >> 4 & 15, 16))
                            .append(Character.forDigit(c & 15, 16));
                }
            }
        }
        return encoded == null ? target : encoded.toString();
    }
}
