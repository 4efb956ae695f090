package io.berth.observability;

import java.util.List;

/**
 * The route templates of a service, such as {@code /traits/{}}, for a label of metrics. Paths that match no template
 * share one label, {@link #OTHER}, so that clients cannot create label values.
 */
public final class RouteTemplates {
    /** The label of every path that matches no template. */
    public static final String OTHER = "other";
    private static final String ANY_SEGMENT = "{}";

    private final List<String> names;
    private final List<String[]> segments;

    /**
     * @param templates paths from the root, with {@code {}} for any single non-empty segment; a path belongs to the
     *         first template that matches
     */
    public RouteTemplates(List<String> templates) {
        this.names = List.copyOf(templates);
        this.segments = names.stream().map(template -> template.substring(1).split("/", -1)).toList();
    }

    public int size() {
        return names.size();
    }

    /**
     * Returns the template for use as a label.
     *
     * @param index from {@link #find}; for {@link #size} the result is {@link #OTHER}
     */
    public String name(int index) {
        return index == names.size() ? OTHER : names.get(index);
    }

    /**
     * Returns the index of the first template that matches the path; {@link #size} if none matches or the path is null.
     */
    public int find(String path) {
        if (path == null) {
            return names.size();
        }
        for (int i = 0; i < names.size(); i++) {
            if (matches(segments.get(i), path)) {
                return i;
            }
        }
        return names.size();
    }

    private static boolean matches(String[] template, String path) {
        int position = 0;
        for (String segment : template) {
            if (position >= path.length() || path.charAt(position) != '/') {
                return false;
            }
            int start = position + 1;
            int end = path.indexOf('/', start);
            position = end < 0 ? path.length() : end;
            boolean isSame = segment.equals(ANY_SEGMENT)
                    ? position > start
                    : position - start == segment.length() && path.startsWith(segment, start);
            if (!isSame) {
                return false;
            }
        }
        return position == path.length();
    }
}
