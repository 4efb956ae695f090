package io.berth.scheduler.numa;

import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;
import java.util.BitSet;

/**
 * Parses lists of CPU numbers as operators write them: {@code 0-7,^3} means 0 to 7 without 3. Exclusions apply after
 * all inclusions, wherever they stand. Blanks and empty items do not matter.
 * <br>Source: nova {@code virt/hardware.py} (parse_cpu_spec).
 */
public final class CpuList {
    /** The limit in characters; a list that names every possible CPU one by one is shorter. */
    private static final int LENGTH_MAX = 512 * 1024;

    private CpuList() {}

    /**
     * Returns the set, never null but possibly empty. Refuses a text that is no CPU list, and included numbers above
     * {@link CpuSet#CPU_MAX}.
     */
    public static Derived<CpuSet> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return new Derived.Refused<>("the CPU list is longer than %d characters".formatted(LENGTH_MAX));
        }
        var included = new Ranges();
        var excluded = new Ranges();
        for (String item : text.split(",")) {
            String rule = item.strip();
            if (rule.isEmpty()) {
                continue;
            }
            boolean excludes = rule.startsWith("^");
            Range range = range(excludes ? rule.substring(1) : rule);
            if (range == null) {
                return new Derived.Refused<>(
                        "'%s' is no CPU list: write numbers and ranges such as 0-3,^2".formatted(shortened(rule)));
            }
            if (excludes) {
                excluded.add(range);
            } else if (range.last() > CpuSet.CPU_MAX) {
                return new Derived.Refused<>("CPU %d is above %d".formatted(range.last(), CpuSet.CPU_MAX));
            } else {
                included.add(range);
            }
        }
        return new Derived.Value<>(included.cpus().minus(excluded.cpus()));
    }

    /**
     * Parses a mask over the virtual CPUs of an instance. A mask that starts with an exclusion means all CPUs except
     * the excluded ones.
     */
    public static Derived<CpuSet> parseMask(String text, int vcpus) {
        return parse(text.strip().startsWith("^") ? "0-" + (vcpus - 1) + "," + text : text);
    }

    /** Parses a number, or two in ascending order with a dash between them; null for any other text. */
    private static @Nullable Range range(String rule) {
        int dash = rule.indexOf('-');
        Long first = IntegerText.parse(dash < 0 ? rule : rule.substring(0, dash));
        Long last = dash < 0 ? first : IntegerText.parse(rule.substring(dash + 1));
        return first == null || last == null || first > last ? null : new Range(first, last);
    }

    private static String shortened(String rule) {
        return rule.length() <= 40 ? rule : rule.substring(0, 40) + "...";
    }

    private record Range(long first, long last) {}

    /** Collects ranges into one set. Ignores the part of a range above the highest CPU number. */
    private static final class Ranges {
        private final BitSet bits = new BitSet();

        void add(Range range) {
            // Numbers are not negative, because a minus in front of the first number is taken for the dash of a range.
            int end = CpuSet.CPU_MAX + 1;
            if (range.first() < end) {
                bits.set((int) range.first(), (int) Math.min(range.last(), end - 1) + 1);
            }
        }

        CpuSet cpus() {
            return CpuSet.of(bits.stream().toArray());
        }
    }
}
