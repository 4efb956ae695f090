package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header {@code If-Match}: a condition on the stored record. The {@code ETag} of a record is its version in quotes.
 * <br>Source: RFC 9110, 13.1.1.
 *
 * @param versions accepted versions; null: any version of an existing record
 */
public record IfMatch(@Nullable Set<Long> versions) {
    /** Detail of the error (412) if the stored record does not match. */
    public static final String REFUSAL = "If-Match: the stored record has another version; read the record again";

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");
    private static final Pattern VERSION = Pattern.compile("\"(0|[1-9][0-9]{0,17})\"");

    /**
     * Parses the header; null if it is absent. Throws ApiFault (400) for a value other than {@code *} or a list of
     * entity tags; a tag that contains a comma is invalid, too.
     */
    static @Nullable IfMatch parse(@Nullable String header) {
        if (header == null) {
            return null;
        }
        if (header.strip().equals("*")) {
            return new IfMatch(null);
        }
        String[] tags = Arrays.stream(header.split(",")).map(String::strip).toArray(String[]::new);
        for (String tag : tags) {
            if (!TAG.matcher(tag).matches()) {
                throw ApiFault.invalid("If-Match: must be *, or tags in quotes such as \"3\"");
            }
        }
        // Weak tags never match (RFC 9110), and no record has a tag that is not a version.
        return new IfMatch(Arrays.stream(tags)
                .filter(tag -> VERSION.matcher(tag).matches())
                .map(tag -> Long.valueOf(tag.substring(1, tag.length() - 1)))
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns the entity tag of a version. */
    static String tag(long version) {
        return "\"" + version + "\"";
    }

    /**
     * Returns whether the stored record satisfies the condition.
     *
     * @param stored version of the stored record; null if it does not exist
     */
    public boolean admits(@Nullable Long stored) {
        return stored != null && (versions == null || versions.contains(stored));
    }
}
