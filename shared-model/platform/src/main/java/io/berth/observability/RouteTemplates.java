package io.berth.observability;

import java.util.List;

/**
 * The route templates of a service, such as {@code /traits/{}}, for a label of metrics. Every path that matches no
 * template is {@link #OTHER}, so that clients cannot create label values.
 */
public final class RouteTemplates {
    public static final String OTHER = "other";
    private static final String ANY = "{}";

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

    private static boolean matches(String[] wanted, String path) {
        int at = 0;
        for (String segment : wanted) {
            if (at >= path.length() || path.charAt(at) != '/') {
                return false;
            }
            int start = at + 1;
            int end = path.indexOf('/', start);
            at = end < 0 ? path.length() : end;
            boolean same = segment.equals(ANY)
                    ? at > start
                    : at - start == segment.length() && path.startsWith(segment, start);
            if (!same) {
                return false;
            }
        }
        return at == path.length();
    }
}
