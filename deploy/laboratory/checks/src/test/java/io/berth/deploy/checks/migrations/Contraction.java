package io.berth.deploy.checks.migrations;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds statements that remove something that the previous version uses. Pure. */
final class Contraction {
    private static final Pattern UNUSED_SINCE = Pattern.compile("unused since (\\d+)\\.(\\d+)\\.(\\d+): \\S");
    private static final Map<String, Pattern> DESTRUCTIVE = new LinkedHashMap<>();

    static {
        DESTRUCTIVE.put("drops", word("DROP (?!DEFAULT\\b|NOT NULL\\b)"));
        DESTRUCTIVE.put("renames", word("RENAME (TO|COLUMN|CONSTRAINT|\\S+ TO)"));
        DESTRUCTIVE.put("empties", word("TRUNCATE"));
        DESTRUCTIVE.put("moves to another schema", word("SET SCHEMA"));
        DESTRUCTIVE.put("changes a type", word("ALTER (COLUMN )?\\S+ (SET DATA )?TYPE"));
        DESTRUCTIVE.put("forbids null", word("SET NOT NULL"));
        DESTRUCTIVE.put("takes a default away", word("DROP DEFAULT"));
        DESTRUCTIVE.put("adds a constraint to what is there",
                word("ALTER TABLE .*ADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)"));
        DESTRUCTIVE.put("makes unique what is there", word("CREATE UNIQUE INDEX"));
        DESTRUCTIVE.put("takes rights away", word("REVOKE"));
        DESTRUCTIVE.put("adds a column that old writers do not fill",
                word("ADD (COLUMN )?(IF NOT EXISTS )?(?!CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY|VALUE)"
                        + "(?=[^,]*\\bNOT NULL\\b)(?![^,]*\\b(DEFAULT|GENERATED)\\b)[^,]+"));
    }

    private Contraction() {}

    private static Pattern word(String regex) {
        return Pattern.compile("\\b" + regex + "\\b", Pattern.CASE_INSENSITIVE);
    }

    /**
     * Returns a line for each offense of a script.
     *
     * @param version the version being built, such as 0.2.0
     */
    static List<String> offences(String script, String version) {
        List<String> offences = new ArrayList<>();
        List<String> created = new ArrayList<>();
        for (Statement statement : Statement.of(script)) {
            Matcher table = word("^CREATE TABLE (IF NOT EXISTS )?(\\w+)").matcher(statement.sql());
            if (table.find()) {
                created.add(table.group(2).toLowerCase(java.util.Locale.ROOT));
                continue;
            }
            if (isAbout(created, statement.sql())) {
                continue;
            }
            DESTRUCTIVE.forEach((what, pattern) -> {
                if (pattern.matcher(statement.sql()).find() && !isAllowed(statement.comment(), version)) {
                    offences.add(what + ": " + statement.sql());
                }
            });
        }
        return offences;
    }

    /** Returns whether a statement changes a table that the same script creates, which no older version knows. */
    private static boolean isAbout(List<String> created, String sql) {
        Matcher on = word("^(ALTER TABLE|CREATE UNIQUE INDEX .* ON) (IF EXISTS )?(ONLY )?(\\w+)").matcher(sql);
        return on.find() && created.contains(on.group(4).toLowerCase(java.util.Locale.ROOT));
    }

    private static boolean isAllowed(String comment, String version) {
        Matcher since = UNUSED_SINCE.matcher(comment);
        return since.find() && compare(since.group(1) + "." + since.group(2) + "." + since.group(3), version) < 0;
    }

    private static int compare(String one, String other) {
        String[] left = one.split("\\.");
        String[] right = other.replace("-SNAPSHOT", "").split("\\.");
        for (int i = 0; i < 3; i++) {
            int order = Integer.compare(Integer.parseInt(left[i]), Integer.parseInt(right[i]));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
