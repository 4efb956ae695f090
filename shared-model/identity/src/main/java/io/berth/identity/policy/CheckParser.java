package io.berth.identity.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Parses the text of one rule: checks joined by {@code and}, {@code or}, {@code not} (in any case) and parentheses;
 * {@code not} binds strongest, {@code or} weakest. Words are separated by white space; parentheses may touch them.
 *
 * <p>As in oslo.policy, a rule of invalid syntax never holds, and neither does an invalid check within a valid rule.
 * Source: oslo.policy {@code _parser.py}.
 */
final class CheckParser {
    private static final int DEPTH_MAX = 50;
    private static final Pattern LITERAL = Pattern.compile("'[^']*'|\"[^\"]*\"|True|False|None|-?[0-9]+");
    private static final Set<String> REMOTE = Set.of("http", "https");
    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
    /** The attributes of oslo.context that {@link CallerAttribute} lacks. */
    private static final Set<String> OF_OSLO_CONTEXT = Set.of(
            "user", "tenant", "domain", "user_domain", "project_domain", "user_domain_id", "project_domain_id",
            "is_admin", "is_admin_project", "roles", "service_user_id", "service_user_domain_id", "service_project_id",
            "service_project_domain_id", "service_roles");
    private static final String NO = "it never holds";

    private enum Kind { OPEN, CLOSE, AND, OR, NOT, CHECK, QUOTED }

    /** @param column of the first character in the rule, from 1 */
    private record Token(Kind kind, String text, int column) {}

    private final List<Token> tokens;
    private final int end;
    /** The invalid checks found so far. */
    private final List<RuleInvalid> invalidRules = new ArrayList<>();
    private int next;

    private CheckParser(List<Token> tokens, int end) {
        this.tokens = tokens;
        this.end = end;
    }

    /** Parses the text of a rule. An empty text is a rule that always holds. */
    static Check parse(String text, PolicyFaults faults) {
        if (text.isEmpty()) {
            return new Check.Always();
        }
        CheckParser parser = new CheckParser(tokens(text), text.length() + 1);
        Check check;
        try {
            check = parser.whole();
        } catch (RuleInvalid syntax) {
            parser.invalidRules.add(syntax);
            check = new Check.Never();
        }
        parser.invalidRules.forEach(each -> faults.note(each, NO));
        return check;
    }

    /** Parses a rule in oslo.policy's old form. A rule without any list always holds. Faults have column 0. */
    static Check parse(RuleDefinition.AnyOf rule, PolicyFaults faults) {
        if (rule.lists().isEmpty()) {
            return new Check.Always();
        }
        CheckParser parser = new CheckParser(List.of(), 0);
        List<Check> any = rule.lists().stream()
                .filter(list -> !list.isEmpty())
                .<Check>map(list -> new Check.All(
                        list.stream().map(text -> parser.check(new Token(Kind.CHECK, text, 0))).toList()))
                .toList();
        parser.invalidRules.forEach(each -> faults.note(each, NO));
        return new Check.Any(any);
    }

    private Check whole() {
        Check check = any(0);
        if (next < tokens.size()) {
            Token left = tokens.get(next);
            throw new RuleInvalid(left.column(), "'" + left.text() + "' where 'and', 'or' or the end was expected");
        }
        return check;
    }

    private Check any(int depth) {
        List<Check> checks = new ArrayList<>();
        do {
            checks.add(all(depth));
        } while (consume(Kind.OR));
        return checks.size() == 1 ? checks.getFirst() : new Check.Any(checks);
    }

    private Check all(int depth) {
        List<Check> checks = new ArrayList<>();
        do {
            checks.add(single(depth));
        } while (consume(Kind.AND));
        return checks.size() == 1 ? checks.getFirst() : new Check.All(checks);
    }

    private Check single(int depth) {
        if (next == tokens.size()) {
            throw new RuleInvalid(end, "a check is missing at the end");
        }
        Token token = tokens.get(next++);
        if (depth == DEPTH_MAX) {
            throw new RuleInvalid(token.column(), "nested deeper than " + DEPTH_MAX);
        }
        return switch (token.kind()) {
            case NOT -> Check.not(single(depth + 1));
            case OPEN -> {
                Check inner = any(depth + 1);
                if (!consume(Kind.CLOSE)) {
                    throw new RuleInvalid(token.column(), "'(' is never closed");
                }
                yield inner;
            }
            case CHECK -> check(token);
            case CLOSE, AND, OR, QUOTED -> throw new RuleInvalid(
                    token.column(), "'" + token.text() + "' where a check was expected");
        };
    }

    private boolean consume(Kind kind) {
        if (next < tokens.size() && tokens.get(next).kind() == kind) {
            next++;
            return true;
        }
        return false;
    }

    private Check check(Token token) {
        try {
            return read(token);
        } catch (RuleInvalid fault) {
            invalidRules.add(fault);
            return fault.isUnknown() ? new Check.Unknown() : new Check.Never();
        }
    }

    private static Check read(Token token) {
        String text = token.text();
        if (text.equals("@")) {
            return new Check.Always();
        }
        if (text.equals("!")) {
            return new Check.Never();
        }
        int colon = text.indexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            var fault = new RuleInvalid(token.column(), "'" + text + "': must be KIND:VALUE, @ or !");
            throw colon == 0 ? fault.unknown() : fault;
        }
        String kind = text.substring(0, colon);
        String value = text.substring(colon + 1);
        int valueColumn = token.column() + colon + 1;
        if (kind.equals("rule")) {
            return new Check.Named(value, valueColumn);
        }
        if (REMOTE.contains(kind)) {
            throw new RuleInvalid(token.column(), "checks by " + kind + " are not supported").unknown();
        }
        Match match = Match.parse(value, valueColumn);
        if (kind.equals("role")) {
            return new Check.Role(match);
        }
        if (LITERAL.matcher(kind).matches()) {
            boolean quoted = kind.charAt(0) == '\'' || kind.charAt(0) == '"';
            return new Check.Literal(quoted ? kind.substring(1, kind.length() - 1) : kind, match);
        }
        CallerAttribute attribute = CallerAttribute.BY_NAME.get(kind);
        if (attribute == null) {
            var fault = new RuleInvalid(token.column(), "'" + kind + "': must be one of rule, role, "
                    + String.join(", ", CallerAttribute.BY_NAME.keySet().stream().sorted().toList())
                    + " and no quoted text, number, True, False or None");
            boolean isNothing = ATTRIBUTE.matcher(kind).matches() && !OF_OSLO_CONTEXT.contains(kind);
            throw isNothing ? fault : fault.unknown();
        }
        return new Check.Attribute(attribute, match);
    }

    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int i = 0;
        while (i < text.length()) {
            if (Character.isWhitespace(text.charAt(i))) {
                i++;
                continue;
            }
            int wordEnd = i;
            while (wordEnd < text.length() && !Character.isWhitespace(text.charAt(wordEnd))) {
                wordEnd++;
            }
            addWord(tokens, text, i, wordEnd);
            i = wordEnd;
        }
        return tokens;
    }

    /** Adds the tokens of a word: a check or an operator, with parentheses at its ends. */
    private static void addWord(List<Token> tokens, String text, int from, int to) {
        int start = from;
        while (start < to && text.charAt(start) == '(') {
            tokens.add(new Token(Kind.OPEN, "(", ++start));
        }
        int stop = to;
        while (stop > start && text.charAt(stop - 1) == ')') {
            stop--;
        }
        if (stop > start) {
            String word = text.substring(start, stop);
            char first = text.charAt(start);
            boolean isQuoted = to - start > 1 && (first == '\'' || first == '"') && text.charAt(to - 1) == first;
            Kind kind = switch (word.toLowerCase(Locale.ROOT)) {
                case "and" -> Kind.AND;
                case "or" -> Kind.OR;
                case "not" -> Kind.NOT;
                default -> isQuoted ? Kind.QUOTED : Kind.CHECK;
            };
            tokens.add(new Token(kind, word, start + 1));
        }
        for (int i = stop; i < to; i++) {
            tokens.add(new Token(Kind.CLOSE, ")", i + 1));
        }
    }
}
