package io.berth.scheduler.request.query;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A parameter of a query string, before encoding. Ordered by name, then by value. */
record QueryParameter(String name, String value) implements Comparable<QueryParameter> {
    private static final Comparator<QueryParameter> ORDER =
            Comparator.comparing(QueryParameter::name).thenComparing(QueryParameter::value);

    @Override
    public int compareTo(QueryParameter other) {
        return ORDER.compare(this, other);
    }

    /** Returns the query string: the sorted parameters in the encoding of HTML forms. */
    static String render(List<QueryParameter> parameters) {
        return parameters.stream()
                .sorted()
                .map(parameter -> encode(parameter.name) + "=" + encode(parameter.value))
                .collect(Collectors.joining("&"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
