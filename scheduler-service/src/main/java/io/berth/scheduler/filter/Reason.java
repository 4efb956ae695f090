package io.berth.scheduler.filter;

import java.util.List;
import java.util.Locale;

/**
 * Why a host was rejected: a code that can be counted, and the values compared. The text is made when it is read.
 *
 * @param code lower case words joined by underscores, one meaning per filter
 * @param template for {@link String#format}
 */
public record Reason(String code, String template, List<Object> values) {
    public static Reason of(String code, String template, Object... values) {
        return new Reason(code, template, List.of(values));
    }

    /** For humans; never empty. */
    public String render() {
        return String.format(Locale.ROOT, template, values.toArray());
    }
}
