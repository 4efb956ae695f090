package io.berth.model.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the known names that a misspelled name may stand for. Pure. */
public final class NearNames {
    private static final int NEAR_MAX = 3;
    private static final int LENGTH_MAX = 255;

    private NearNames() {}

    /**
     * Returns at most {@value #NEAR_MAX} known names within an edit distance of 2, the nearest first. An edit is a
     * replaced, missing or additional letter, or two neighboring letters that are swapped; case is ignored. For a name
     * of less than six letters, the distance is at most 1. Empty for a name of more than {@value #LENGTH_MAX}
     * characters.
     */
    public static List<String> of(String name, Collection<String> known) {
        record Near(String name, int distance) {}

        if (name.length() > LENGTH_MAX) {
            return List.of();
        }
        int distanceMax = name.length() < 6 ? 1 : 2;
        String lowerName = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(each -> Math.abs(each.length() - name.length()) <= distanceMax)
                .map(each -> new Near(each, distance(lowerName, each.toLowerCase(Locale.ROOT))))
                .filter(near -> near.distance <= distanceMax)
                .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
                .limit(NEAR_MAX)
                .map(Near::name)
                .toList();
    }

    /** Returns {@code ; near: a, b} to append to a message; empty if no known name is near. */
    public static String hint(String name, Collection<String> known) {
        List<String> near = of(name, known);
        return near.isEmpty() ? "" : near.stream().collect(Collectors.joining(", ", "; near: ", ""));
    }

    /**
     * Returns the known name with the smallest edit distance, however large; known names that begin with {@code name}
     * take precedence. Case is ignored. Empty if {@code known} is empty, or the name has more than {@value #LENGTH_MAX}
     * characters.
     */
    public static Optional<String> nearest(String name, Collection<String> known) {
        if (name.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        String lowerName = name.toLowerCase(Locale.ROOT);
        return known.stream().min(Comparator
                .<String, Boolean>comparing(each -> !each.toLowerCase(Locale.ROOT).startsWith(lowerName))
                .thenComparingInt(each -> distance(lowerName, each.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the number of insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] rows = new int[3][b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            rows[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = rows[i % 3];
            int[] above = rows[(i + 2) % 3];
            int[] twoAbove = rows[(i + 1) % 3];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], twoAbove[j - 2] + 1);
                }
            }
        }
        return rows[a.length() % 3][b.length()];
    }
}
