package io.berth.identity.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Parses one rule: checks, combined by {@code and}, {@code or}, {@code not} (in any case) and parentheses; {@code not}
 * binds strongest, {@code or} weakest. Words are separated by white space; parentheses may touch them.
 *
 * <p>Faults go to {@link PolicyFaults}, which may refuse the whole file. If the file is not refused, the effect is as
 * in oslo.policy. A rule of invalid syntax never holds, and neither does an invalid check within a valid rule. The
 * negation of an invalid check holds, unless oslo.policy might evaluate the check or fail on it ({@link
 * Check.Unknown}).
 * <br>Source: oslo.policy {@code _parser.py}.
 */
final class CheckParser {
    /** Maximum depth of nested {@code not} and parentheses; a deeper rule is invalid. */
    private static final int DEPTH_MAX = 50;
    private static final Pattern LITERAL = Pattern.compile("'[^']*'|\"[^\"]*\"|True|False|None|-?[0-9]+");
    /** The kinds of checks for which oslo.policy sends a request to another server. */
    private static final Set<String> REMOTE_KINDS = Set.of("http", "https");
    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
    /** The attributes of oslo.context that {@link CallerAttribute} lacks. */
    private static final Set<String> OTHER_OSLO_ATTRIBUTES = Set.of(
            "user", "tenant", "domain", "user_domain", "project_domain", "user_domain_id", "project_domain_id",
            "is_admin", "is_admin_project", "roles", "service_user_id", "service_user_domain_id", "service_project_id",
            "service_project_domain_id", "service_roles");
    private static final String NEVER_HOLDS = "it never holds";

    private enum Kind { OPEN, CLOSE, AND, OR, NOT, CHECK, QUOTED }

    /** @param column the column of the first character in the rule, from 1 */
    private record Token(Kind kind, String text, int column) {}

    private final List<Token> tokens;
    private final int endColumn;
    /** The faults found so far: invalid checks, and invalid syntax. */
    private final List<PolicyFault> foundFaults = new ArrayList<>();
    private int nextIndex;

    private CheckParser(List<Token> tokens, int endColumn) {
        this.tokens = tokens;
        this.endColumn = endColumn;
    }

    /** Parses the text of a rule. An empty text is a rule that always holds. */
    static Check parse(String text, PolicyFaults faults) {
        if (text.isEmpty()) {
            return new Check.Always();
        }
        CheckParser parser = new CheckParser(tokenize(text), text.length() + 1);
        Check check;
        try {
            check = parser.parseRule();
        } catch (PolicyFault syntax) {
            parser.foundFaults.add(syntax);
            check = new Check.Never();
        }
        parser.foundFaults.forEach(fault -> faults.report(fault, NEVER_HOLDS));
        return check;
    }

    /**
     * Parses a rule in oslo.policy's old form. A rule without any inner list always holds. Empty inner lists are
     * ignored, so that a rule with only empty ones never holds. The column of a fault is 0; if the fault is after the
     * colon of a check, it is the position in the text of this check, from 0.
     */
    static Check parse(RuleDefinition.AnyOf rule, PolicyFaults faults) {
        if (rule.lists().isEmpty()) {
            return new Check.Always();
        }
        CheckParser parser = new CheckParser(List.of(), 0);
        List<Check> alternatives = rule.lists().stream()
                .filter(list -> !list.isEmpty())
                .<Check>map(list -> new Check.All(
                        list.stream().map(text -> parser.parseCheck(new Token(Kind.CHECK, text, 0))).toList()))
                .toList();
        parser.foundFaults.forEach(fault -> faults.report(fault, NEVER_HOLDS));
        return new Check.Any(alternatives);
    }

    private Check parseRule() {
        Check check = parseOr(0);
        if (nextIndex < tokens.size()) {
            Token trailing = tokens.get(nextIndex);
            throw new PolicyFault(trailing.column(),
                    "'" + trailing.text() + "' where 'and', 'or' or the end was expected");
        }
        return check;
    }

    private Check parseOr(int depth) {
        List<Check> checks = new ArrayList<>();
        do {
            checks.add(parseAnd(depth));
        } while (consume(Kind.OR));
        return checks.size() == 1 ? checks.getFirst() : new Check.Any(checks);
    }

    private Check parseAnd(int depth) {
        List<Check> checks = new ArrayList<>();
        do {
            checks.add(parseOperand(depth));
        } while (consume(Kind.AND));
        return checks.size() == 1 ? checks.getFirst() : new Check.All(checks);
    }

    private Check parseOperand(int depth) {
        if (nextIndex == tokens.size()) {
            throw new PolicyFault(endColumn, "a check is missing at the end");
        }
        Token token = tokens.get(nextIndex++);
        if (depth == DEPTH_MAX) {
            throw new PolicyFault(token.column(), "nested deeper than " + DEPTH_MAX);
        }
        return switch (token.kind()) {
            case NOT -> Check.not(parseOperand(depth + 1));
            case OPEN -> {
                Check inner = parseOr(depth + 1);
                if (!consume(Kind.CLOSE)) {
                    throw new PolicyFault(token.column(), "'(' is never closed");
                }
                yield inner;
            }
            case CHECK -> parseCheck(token);
            case CLOSE, AND, OR, QUOTED -> throw new PolicyFault(
                    token.column(), "'" + token.text() + "' where a check was expected");
        };
    }

    private boolean consume(Kind kind) {
        if (nextIndex < tokens.size() && tokens.get(nextIndex).kind() == kind) {
            nextIndex++;
            return true;
        }
        return false;
    }

    /**
     * Returns the check of a token. For an invalid check, records the fault and returns {@link Check.Unknown} or {@link
     * Check.Never}.
     */
    private Check parseCheck(Token token) {
        try {
            return parseCheckText(token);
        } catch (PolicyFault fault) {
            foundFaults.add(fault);
            return fault.isUnknown() ? new Check.Unknown() : new Check.Never();
        }
    }

    private static Check parseCheckText(Token token) {
        String text = token.text();
        if (text.equals("@")) {
            return new Check.Always();
        }
        if (text.equals("!")) {
            return new Check.Never();
        }
        int colon = text.indexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            var fault = new PolicyFault(token.column(), "'" + text + "': must be KIND:VALUE, @ or !");
            throw colon == 0 ? fault.asUnknown() : fault;
        }
        String kind = text.substring(0, colon);
        String value = text.substring(colon + 1);
        int valueColumn = token.column() + colon + 1;
        if (kind.equals("rule")) {
            return new Check.Named(value, valueColumn);
        }
        if (REMOTE_KINDS.contains(kind)) {
            throw new PolicyFault(token.column(), "checks by " + kind + " are not supported").asUnknown();
        }
        TargetText match = TargetText.parse(value, valueColumn);
        if (kind.equals("role")) {
            return new Check.Role(match);
        }
        if (LITERAL.matcher(kind).matches()) {
            boolean isQuoted = kind.charAt(0) == '\'' || kind.charAt(0) == '"';
            return new Check.Literal(isQuoted ? kind.substring(1, kind.length() - 1) : kind, match);
        }
        CallerAttribute attribute = CallerAttribute.BY_NAME.get(kind);
        if (attribute == null) {
            var fault = new PolicyFault(token.column(), "'" + kind + "': must be one of rule, role, "
                    + String.join(", ", CallerAttribute.BY_NAME.keySet().stream().sorted().toList())
                    + " and no quoted text, number, True, False or None");
            // oslo.context never sets such an attribute, so the check is false in oslo.policy, too.
            boolean isNeverSet = ATTRIBUTE.matcher(kind).matches() && !OTHER_OSLO_ATTRIBUTES.contains(kind);
            throw isNeverSet ? fault : fault.asUnknown();
        }
        return new Check.Attribute(attribute, match);
    }

    private static List<Token> tokenize(String text) {
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

    /** Adds the tokens of a word: a check, an operator or a quoted text, with any number of parentheses at its ends. */
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
