package io.berth.placement.http;

import jakarta.annotation.Nullable;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses query strings. Names and values are percent-decoded, {@code +} means a space, and names are case-sensitive.
 */
public final class QueryString {
    /** The most parameters; more are refused with 400. */
    private static final int PARAMETERS_MAX = 5_000;

    private QueryString() {}

    /**
     * Returns the values by name, in the order of the query string, as a modifiable map. A parameter without {@code =}
     * has an empty value. Empty text between two {@code &} is no parameter.
     *
     * @param raw the query string, not decoded; null if there is none
     * @throws ApiException 400 for invalid percent-encoding, bytes that are not UTF-8, a NUL, or too many parameters
     */
    public static Map<String, List<String>> parse(@Nullable String raw) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return all;
        }
        int count = 0;
        for (String piece : raw.split("&")) {
            if (piece.isEmpty()) {
                continue;
            }
            if (++count > PARAMETERS_MAX) {
                throw ApiException.badRequest("Invalid query string parameters: more than " + PARAMETERS_MAX);
            }
            int equals = piece.indexOf('=');
            String name = equals < 0 ? piece : piece.substring(0, equals);
            String value = equals < 0 ? "" : piece.substring(equals + 1);
            all.computeIfAbsent(decode(name), key -> new ArrayList<>(1)).add(decode(value));
        }
        return all;
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return checked(text);
        }
        try {
            // ISO-8859-1 preserves each decoded byte, so that invalid UTF-8 is detected below.
            byte[] bytes = URLDecoder.decode(text, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
            return checked(StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw ApiException.badRequest("Invalid query string parameters: not percent-encoded UTF-8");
        }
    }

    private static String checked(String text) {
        if (text.indexOf('\0') >= 0) {
            throw ApiException.badRequest("Invalid query string parameters: a NUL character");
        }
        return text;
    }
}
