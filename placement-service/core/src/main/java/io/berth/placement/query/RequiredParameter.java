package io.berth.placement.query;

import io.berth.model.Microversion;
import io.berth.placement.http.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The parameter {@code required}: traits that are required or forbidden. The forms of a value are {@code A,!B}, and
 * {@code in:A,B} if one of several traits suffices.
 *
 * @param required distinct sets of traits; at least one trait of each set is required
 * @param forbidden traits that are forbidden
 */
public record RequiredParameter(List<Set<String>> required, Set<String> forbidden) {
    public RequiredParameter {
        required = required.stream().distinct().toList();
    }

    /** The syntax of the parameter, which depends on the microversion. */
    public enum Syntax {
        /** Allows only required traits. */
        PLAIN,
        /** Also allows {@code !A} (from 1.22). */
        WITH_FORBIDDEN,
        /** Also allows {@code in:A,B} and repeated parameters (from 1.39). */
        WITH_ANY_OF;

        /** Returns the syntax of a microversion. */
        public static Syntax at(Microversion version) {
            return version.atLeast(39) ? WITH_ANY_OF : version.atLeast(22) ? WITH_FORBIDDEN : PLAIN;
        }
    }

    /**
     * Parses the values of one parameter: all values with {@link Syntax#WITH_ANY_OF}, otherwise only the last one.
     *
     * @param values at least one
     * @throws ApiException 400 for an invalid value
     */
    public static RequiredParameter parse(List<String> values, Syntax syntax) {
        List<Set<String>> required = new ArrayList<>();
        Set<String> forbidden = new LinkedHashSet<>();
        for (String value : syntax == Syntax.WITH_ANY_OF ? values : values.subList(values.size() - 1, values.size())) {
            if (value.startsWith("in:")) {
                required.add(anyOf(value, syntax));
            } else {
                readPlain(value, syntax, required, forbidden);
            }
        }
        return new RequiredParameter(required, forbidden);
    }

    private static Set<String> anyOf(String value, Syntax syntax) {
        if (syntax != Syntax.WITH_ANY_OF) {
            throw invalid(
                    "The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: "
                            + value);
        }
        Set<String> traits = new LinkedHashSet<>();
        for (String name : value.substring(3).split(",", -1)) {
            traits.add(name.strip());
        }
        if (traits.contains("")) {
            throw invalid("Expected 'required' parameter value of the form: in:HW_CPU_X86_VMX,CUSTOM_MAGIC. "
                    + "Got an empty trait in: " + value);
        }
        if (traits.stream().anyMatch(name -> name.startsWith("!"))) {
            throw invalid(
                    "The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support forbidden traits. Got: " + value);
        }
        return traits;
    }

    private static void readPlain(String value, Syntax syntax, List<Set<String>> required, Set<String> forbidden) {
        boolean hasForbidden = false;
        for (String item : value.split(",", -1)) {
            String name = item.strip();
            boolean isForbidden = name.startsWith("!");
            String trait = isForbidden ? withoutMarks(name) : name;
            if (trait.isEmpty()) {
                throw invalid("Expected 'required' parameter value of the form: "
                        + (syntax == Syntax.PLAIN ? "HW_CPU_X86_VMX,CUSTOM_MAGIC" : "HW_CPU_X86_VMX,!CUSTOM_MAGIC")
                        + ". Got an empty trait in: " + value);
            }
            hasForbidden |= isForbidden;
            if (isForbidden) {
                forbidden.add(trait);
            } else {
                required.add(Set.of(trait));
            }
        }
        if (hasForbidden && syntax == Syntax.PLAIN) {
            throw invalid(
                    "Expected 'required' parameter value of the form: HW_CPU_X86_VMX,CUSTOM_MAGIC. Got: " + value);
        }
    }

    /** Removes all leading exclamation marks; as in upstream, any number of them counts as one. */
    private static String withoutMarks(String name) {
        int start = 0;
        while (start < name.length() && name.charAt(start) == '!') {
            start++;
        }
        return name.substring(start);
    }

    private static ApiException invalid(String message) {
        return ApiException.badRequest("Invalid query string parameters: " + message);
    }
}
