package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Conditions on a version, such as {@code >=2.1,<3}, all of which must hold.
 * <br>Source: nova {@code objects/fields.py} (VersionPredicate), oslo.utils {@code versionutils}.
 *
 * @param text the conditions as written
 */
public record VersionPredicate(String text, List<Condition> conditions) {
    private static final Pattern CONDITION = Pattern.compile("(<=|>=|==|!=|<|>)\\s*(\\S+)");
    /**
     * A version. The possessive quantifier makes Java match the components in a loop; with recursion, hostile text
     * could exhaust the stack.
     */
    private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}(\\.[0-9]{1,18})*+");
    private static final int LENGTH_MAX = 1_000;

    public VersionPredicate {
        conditions = List.copyOf(conditions);
    }

    /**
     * One comparison.
     *
     * @param operator one of {@code <=}, {@code >=}, {@code ==}, {@code !=}, {@code <} and {@code >}
     * @param version the components of the version, the most significant first
     */
    public record Condition(String operator, List<BigInteger> version) {
        boolean holds(List<BigInteger> other) {
            int order = compare(other, version);
            return switch (operator) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case "==" -> order == 0;
                case "!=" -> order != 0;
                case ">=" -> order >= 0;
                case ">" -> order > 0;
                default -> throw new IllegalStateException(operator);
            };
        }
    }

    /**
     * Parses conditions that are separated by commas; null if the text is invalid or longer than {@value #LENGTH_MAX}
     * characters.
     */
    public static @Nullable VersionPredicate parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return null;
        }
        var conditions = new ArrayList<Condition>();
        for (String item : text.split(",", -1)) {
            Matcher matcher = CONDITION.matcher(item.strip());
            if (!matcher.matches() || !VERSION.matcher(matcher.group(2)).matches()) {
                return null;
            }
            conditions.add(new Condition(matcher.group(1), components(matcher.group(2))));
        }
        return new VersionPredicate(text, conditions);
    }

    /**
     * Returns whether a version satisfies all conditions. Missing components count as 0.
     *
     * @param version numbers that are separated by dots; other text throws NumberFormatException
     */
    public boolean holdsFor(String version) {
        List<BigInteger> components = components(version);
        return conditions.stream().allMatch(condition -> condition.holds(components));
    }

    private static List<BigInteger> components(String version) {
        return Arrays.stream(version.split("\\.")).map(BigInteger::new).toList();
    }

    private static int compare(List<BigInteger> left, List<BigInteger> right) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            BigInteger leftComponent = i < left.size() ? left.get(i) : BigInteger.ZERO;
            BigInteger rightComponent = i < right.size() ? right.get(i) : BigInteger.ZERO;
            if (!leftComponent.equals(rightComponent)) {
                return leftComponent.compareTo(rightComponent);
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
