package io.berth.http.header;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed header Accept, for the media types that the services offer: JSON, plain text for people, and HTML for
 * placement's errors. As in upstream, a header of invalid form accepts anything; Java's HttpURLConnection, for example,
 * sends {@code *; q=.2}.
 */
public record Accept(List<Range> ranges) {
    /** The formats of an error response. */
    public enum ErrorForm { JSON, HTML, TEXT }

    /**
     * A media range. A full type with parameters matches nothing, because the offered types have no parameters; only
     * {@link #prefersText} ignores the parameters.
     */
    private record Range(String type, String subtype, boolean hasParameters, double quality) {
        /**
         * Returns the specificity of the match: 2 for the full type, 1 for the type with any subtype, 0 for any type,
         * -1 for no match.
         *
         * @param withParameters whether a full type with parameters matches, too
         */
        int specificity(String wantedType, String wantedSubtype, boolean withParameters) {
            if (type.equals(wantedType) && subtype.equals(wantedSubtype)) {
                return hasParameters && !withParameters ? -1 : 2;
            }
            if (!subtype.equals("*")) {
                return -1;
            }
            return type.equals(wantedType) ? 1 : type.equals("*") ? 0 : -1;
        }
    }

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final Pattern COMMA = Pattern.compile("[ \t]*+,[ \t]*+");
    private static final Pattern MEDIA = Pattern.compile("(" + TOKEN + ")/(" + TOKEN + ")");
    private static final Pattern PARAMETER =
            Pattern.compile("[ \t]*+;[ \t]*+(" + TOKEN + ")(?:=(" + TOKEN + "|\"[^\"]*+\"))?");
    private static final Pattern WEIGHT = Pattern.compile("0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?");
    private static final String JSON = "application/json";
    private static final List<Range> ANYTHING = List.of(new Range("*", "*", false, 1));

    /**
     * Parses a header in linear time. A header that is only the range for any type means JSON.
     *
     * @param header null or empty if the client sent none, which means JSON
     */
    public static Accept parse(@Nullable String header) {
        if (header == null || header.isEmpty() || header.equals("*/*") || header.equals(JSON)) {
            return new Accept(List.of(new Range("application", "json", false, 1)));
        }
        List<Range> ranges = new Parser(header).ranges();
        return new Accept(ranges == null ? ANYTHING : ranges);
    }

    /** Returns whether JSON is acceptable. */
    public boolean acceptsJson() {
        return quality("application", "json", false) > 0;
    }

    /** Returns whether plain text is preferred to JSON. Parameters of a media range, such as a charset, are ignored. */
    public boolean prefersText() {
        return quality("text", "plain", true) > quality("application", "json", true);
    }

    /**
     * Returns the preferred form of an error response: TEXT if neither HTML nor JSON is acceptable; HTML if both are
     * equally preferred, as in upstream.
     */
    public ErrorForm errorForm() {
        double html = quality("text", "html", false);
        double json = quality("application", "json", false);
        if (html <= 0 && json <= 0) {
            return ErrorForm.TEXT;
        }
        return html >= json ? ErrorForm.HTML : ErrorForm.JSON;
    }

    /**
     * Returns the quality of this media type, 0 to 1: that of the most specific matching range. Of several equally
     * specific ranges, the first counts. 0 without a match.
     */
    private double quality(String type, String subtype, boolean withParameters) {
        int bestRank = -1;
        double best = 0;
        for (Range range : ranges) {
            int rank = range.specificity(type, subtype, withParameters);
            if (rank > bestRank) {
                bestRank = rank;
                best = range.quality();
            }
        }
        return best;
    }

    /** Parses the header in one pass, in linear time for any input. */
    private static final class Parser {
        private final Matcher matcher;
        private final int length;
        private final List<Range> parsedRanges = new ArrayList<>();
        private int position;

        Parser(String header) {
            this.matcher = COMMA.matcher(header);
            this.length = header.length();
        }

        /** Returns null if the header is not a list of media ranges. */
        @Nullable List<Range> ranges() {
            boolean isValid = !isNext(MEDIA) || readRange();
            while (isValid && position < length) {
                isValid = consume(COMMA) && (!isNext(MEDIA) || readRange());
            }
            return isValid ? parsedRanges : null;
        }

        /** Reads a media range with its parameters. Returns false if its form is invalid. */
        private boolean readRange() {
            if (!consume(MEDIA)) {
                return false;
            }
            String type = matcher.group(1).toLowerCase(Locale.ROOT);
            String subtype = matcher.group(2).toLowerCase(Locale.ROOT);
            boolean hasParameters = false;
            Double quality = null;
            while (consume(PARAMETER)) {
                String value = matcher.group(2);
                if (quality != null) {
                    continue; // a parameter after q is an extension, which may lack a value
                }
                if (!matcher.group(1).equalsIgnoreCase("q")) {
                    hasParameters = true;
                    if (value == null) {
                        return false;
                    }
                } else if (value != null && WEIGHT.matcher(value).matches()) {
                    quality = Double.valueOf(value);
                } else {
                    return false;
                }
            }
            parsedRanges.add(new Range(type, subtype, hasParameters, quality == null ? 1 : quality));
            return true;
        }

        private boolean isNext(Pattern pattern) {
            return matcher.usePattern(pattern).region(position, length).lookingAt();
        }

        /** Moves the position behind the pattern. Returns false, and moves nothing, if the pattern is not next. */
        private boolean consume(Pattern pattern) {
            boolean isMatch = isNext(pattern);
            if (isMatch) {
                position = matcher.end();
            }
            return isMatch;
        }
    }
}
