package io.berth.deploy.checks.documents;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The links of a document and the anchors of its headings, parsed as GitHub does. */
record Markdown(List<String> links, Set<String> anchors) {
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *(```|~~~).*?^ *\\1 *$");
    private static final Pattern INDENTED = Pattern.compile("(?m)(?<=\\n\\n)(?: {4}.*\\n(?:\\n(?= {4}))*)+");
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
    private static final Pattern CODE = Pattern.compile("(`+)[^`]+?\\1");
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?(?: \"[^\"]*\")?\\)");
    private static final Pattern DEFINITION = Pattern.compile("(?m)^ {0,3}\\[[^\\]]+\\]: <?([^\\s>]+)");
    private static final Pattern HTML = Pattern.compile("<(?:a|img|source)\\b[^>]*?(?:href|src|srcset)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)(?: +#+)? *$");
    private static final Pattern NAMED = Pattern.compile("<a (?:name|id)=\"([^\"]+)\"");

    static Markdown parse(String text) {
        String prose = COMMENT.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("");
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(prose).results().forEach(heading -> {
            String slug = slug(heading.group(1));
            String anchor = slug;
            for (int again = 1; !anchors.add(anchor); again++) {
                anchor = slug + "-" + again;
            }
        });
        NAMED.matcher(prose).results().forEach(name -> anchors.add(name.group(1)));
        String words = CODE.matcher(INDENTED.matcher(prose).replaceAll("")).replaceAll("code");
        List<String> links = List.of(LINK, DEFINITION, HTML).stream()
                .flatMap(kind -> kind.matcher(words).results())
                .map(link -> link.group(1))
                .toList();
        return new Markdown(links, anchors);
    }

    private static String slug(String heading) {
        return heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }
}
