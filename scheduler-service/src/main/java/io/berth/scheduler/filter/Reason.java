package io.berth.scheduler.filter;

import java.util.List;
import java.util.Locale;

/**
 * Why a host was rejected: a code that can be counted, and the values compared. The text is made when it is read.
 *
 * @param code lower case words joined by underscores, one meaning per filter
 * @param template for {@link String#format}
 * @param shortfall by how much the host missed, at least 0, comparable between hosts that one filter rejected; infinity
 *     where there is nothing to measure
 */
public record Reason(String code, String template, List<Object> values, double shortfall) {
    public static Reason of(String code, String template, Object... values) {
        return new Reason(code, template, List.of(values), Double.POSITIVE_INFINITY);
    }

    /** Whether a host with this reason came nearer to passing than one with the other. */
    public boolean isNearerThan(Reason other) {
        return shortfall < other.shortfall;
    }

    /** For humans; never empty. */
    public String render() {
        return String.format(Locale.ROOT, template, values.toArray());
    }
}
