package io.berth.deploy.checks.migrations;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement of an SQL script.
 *
 * @param sql the statement in one line, without comments and with empty literals
 * @param comment the comments since the previous statement, joined by blanks
 */
record Statement(String sql, String comment) {
    static List<Statement> of(String script) {
        List<Statement> all = new ArrayList<>();
        var sql = new StringBuilder();
        var comment = new StringBuilder();
        String dollar = null;
        for (int at = 0; at < script.length(); at++) {
            char c = script.charAt(at);
            if (script.startsWith("--", at)) {
                int end = script.indexOf('\n', at);
                end = end < 0 ? script.length() : end;
                if (sql.toString().isBlank()) {
                    comment.append(script, at + 2, end).append(' ');
                }
                at = end - 1;
            } else if (script.startsWith("/*", at)) {
                int end = script.indexOf("*/", at);
                at = end < 0 ? script.length() : end + 1;
            } else if (c == '\'') {
                at = endOfLiteral(script, at);
                sql.append("''");
            } else if (c == '$' && dollarQuote(script, at) != null) {
                // Semicolons in the body of a DO block or a function do not end the statement.
                String quote = dollarQuote(script, at);
                dollar = quote.equals(dollar) ? null : dollar == null ? quote : dollar;
                at += quote.length() - 1;
            } else if (c == ';' && dollar == null) {
                add(all, sql, comment);
            } else {
                sql.append(c);
            }
        }
        add(all, sql, comment);
        return all;
    }

    private static void add(List<Statement> all, StringBuilder sql, StringBuilder comment) {
        String text = sql.toString().strip().replaceAll("\\s+", " ");
        if (!text.isEmpty()) {
            all.add(new Statement(text, comment.toString().strip().replaceAll("\\s+", " ")));
            comment.setLength(0);
        }
        sql.setLength(0);
    }

    /** Returns the index of the closing quote; a doubled quote does not close. */
    private static int endOfLiteral(String script, int at) {
        int end = at + 1;
        while (end < script.length()) {
            if (script.charAt(end) != '\'') {
                end++;
            } else if (end + 1 < script.length() && script.charAt(end + 1) == '\'') {
                end += 2;
            } else {
                break;
            }
        }
        return end;
    }

    /** Returns the delimiter {@code $$} or {@code $name$} at this index, or null for a lone dollar. */
    private static String dollarQuote(String script, int at) {
        int end = at + 1;
        while (end < script.length() && (Character.isLetterOrDigit(script.charAt(end)) || script.charAt(end) == '_')) {
            end++;
        }
        return end < script.length() && script.charAt(end) == '$' ? script.substring(at, end + 1) : null;
    }
}
