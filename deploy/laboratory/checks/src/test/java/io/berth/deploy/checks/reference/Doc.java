package io.berth.deploy.checks.reference;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One javadoc comment as Markdown.
 *
 * @param text the text before the first labeled paragraph; empty if there is none
 * @param parts paragraphs that begin with a label and a colon ({@code <br>Option: …}), by label
 * @param parameters descriptions of parameters by name
 */
record Doc(String text, Map<String, String> parts, Map<String, String> parameters) {
    static final Doc NONE = new Doc("", Map.of(), Map.of());

    private static final Pattern LABEL = Pattern.compile(
            "(Options?|Source|Cost|Differs from nova|Default|Status|Remedy): (.*)");
    private static final Pattern CODE = Pattern.compile("\\{@code ((?:[^{}]|\\{[^{}]*})*)}");
    private static final Pattern LINK = Pattern.compile("\\{@link (?:\\w+\\.)*#?(\\w+)(?:#(\\w+))?}");
    private static final Pattern DOCUMENT = Pattern.compile("\\b(docs|deploy)/([\\w/.-]+\\.md)\\b");

    /** @param comment the text from javac, without the stars */
    static Doc parse(String comment) {
        String[] blocks = comment.strip().split("\n\\s*@");
        boolean onlyTags = blocks[0].startsWith("@");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int each = onlyTags ? 0 : 1; each < blocks.length; each++) {
            String[] words = blocks[each].replaceFirst("^@", "").split("\\s+", 3);
            if (words[0].equals("param")) {
                // A labeled paragraph after the parameters belongs to the class.
                parameters.put(words[1], markdown(words[2].split("<(?:p|br)>")[0]));
            }
        }
        StringBuilder text = new StringBuilder();
        Map<String, String> parts = new LinkedHashMap<>();
        for (String paragraph : (onlyTags ? "" : blocks[0]).split("<(?:p|br)>")) {
            String words = markdown(paragraph);
            Matcher labelled = LABEL.matcher(words);
            if (labelled.matches()) {
                parts.put(labelled.group(1).replace("Options", "Option"), labelled.group(2));
            } else {
                text.append(text.isEmpty() ? "" : " ").append(words);
            }
        }
        return new Doc(text.toString().strip(), parts, parameters);
    }

    private static String markdown(String javadoc) {
        String words = javadoc.strip().replaceAll("\\s+", " ").replaceAll("</?[bi]>", "**");
        words = CODE.matcher(words).replaceAll(code -> Matcher.quoteReplacement("`" + code.group(1) + "`"));
        words = LINK.matcher(words).replaceAll(
                link -> "`" + (link.group(2) == null ? link.group(1) : link.group(2)) + "`");
        return DOCUMENT.matcher(words).replaceAll(
                file -> "[" + file.group(2).replaceAll(".*/|\\.md$", "") + "]("
                        + (file.group(1).equals("docs") ? "../" : "../../deploy/") + file.group(2) + ")");
    }
}
