package io.berth.scheduler.request.query;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes a query that found nothing apart: the same query without one of its demands, for each of them. Whoever asks
 * these learns which demand alone left no candidate. Pure.
 */
public final class QueryParts {
    private QueryParts() {}

    /**
     * @param demand what is left out, as in the query: {@code resources=VCPU:200}
     * @param rest of the query, url-encoded, without its limit
     */
    public record Without(String demand, String rest) {
        /** For one candidate, which is enough to know that there is one. */
        public String queryString() {
            return queryString(1);
        }

        public String queryString(int limit) {
            return "limit=" + limit + rest;
        }
    }

    private record Parameter(String name, String value) {}

    /**
     * The variants in the query's order. A demand is one resource amount, one trait, one {@code member_of} or one
     * {@code in_tree}; a group's only resource stays, since a group without any means something else.
     *
     * @param queryString as sent, url-encoded
     * @param most variants wanted at the most
     */
    public static List<Without> of(String queryString, int most) {
        List<Parameter> parameters = parse(queryString);
        List<Without> variants = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            String name = parameter.name();
            if (name.startsWith("resources")) {
                leaveOutItems(parameters, i, 2, variants);
            } else if (name.startsWith("required") || name.equals("root_required")) {
                if (parameter.value().startsWith("in:")) {
                    variants.add(without(parameters, i, parameter.value(), null));
                } else {
                    leaveOutItems(parameters, i, 1, variants);
                }
            } else if (name.startsWith("member_of") || name.startsWith("in_tree") || name.equals("same_subtree")) {
                variants.add(without(parameters, i, parameter.value(), null));
            }
        }
        return variants.size() <= most ? variants : List.copyOf(variants.subList(0, most));
    }

    /** Every trait that a query names, required or forbidden; ascending. */
    public static Set<String> traits(String queryString) {
        Set<String> traits = new TreeSet<>();
        for (Parameter parameter : parse(queryString)) {
            if (parameter.name().startsWith("required") || parameter.name().equals("root_required")) {
                for (String item : parameter.value().split(",")) {
                    traits.add(item.startsWith("!") ? item.substring(1) : item);
                }
            }
        }
        return traits;
    }

    /** Every resource class that a query names; ascending. */
    public static Set<String> resourceClasses(String queryString) {
        Set<String> classes = new TreeSet<>();
        for (Parameter parameter : parse(queryString)) {
            if (parameter.name().startsWith("resources") && !parameter.value().isEmpty()) {
                for (String item : parameter.value().split(",")) {
                    classes.add(item.substring(0, item.indexOf(':')));
                }
            }
        }
        return classes;
    }

    /** @param itemsMin a parameter with fewer items is left alone */
    private static void leaveOutItems(List<Parameter> parameters, int at, int itemsMin, List<Without> variants) {
        List<String> items = Arrays.asList(parameters.get(at).value().split(","));
        if (items.size() < itemsMin) {
            return;
        }
        for (String item : items) {
            List<String> rest = new ArrayList<>(items);
            rest.remove(item);
            variants.add(without(parameters, at, item, rest.isEmpty() ? null : String.join(",", rest)));
        }
    }

    /** @param rest the parameter's value in the variant; null: the parameter goes */
    private static Without without(List<Parameter> parameters, int at, String demand, String rest) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            String value = i == at ? rest : parameter.value();
            if (value != null && !parameter.name().equals("limit")) {
                query.append('&').append(encode(parameter.name())).append('=').append(encode(value));
            }
        }
        return new Without(parameters.get(at).name() + "=" + demand, query.toString());
    }

    private static List<Parameter> parse(String queryString) {
        List<Parameter> parameters = new ArrayList<>();
        for (String piece : queryString.split("&")) {
            int equals = piece.indexOf('=');
            if (equals > 0) {
                parameters.add(new Parameter(decode(piece.substring(0, equals)), decode(piece.substring(equals + 1))));
            }
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
