package io.berth.placement.candidate.query;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses query strings for tests. */
public final class QueryText {
    private QueryText() {}

    public static Map<String, List<String>> parameters(String queryString) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String piece : queryString.split("&")) {
            int equals = piece.indexOf('=');
            all.computeIfAbsent(
                    URLDecoder.decode(piece.substring(0, equals), StandardCharsets.UTF_8), key -> new ArrayList<>())
                    .add(URLDecoder.decode(piece.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return all;
    }
}
