package io.berth.scheduler.numa;

import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;
import java.util.BitSet;

/**
 * Parses CPU numbers as operators write them: {@code 0-7,^3} is all of 0 to 7 except 3. Exclusions apply after all
 * inclusions, wherever they are; blanks and empty items do not matter.
 * <br>Source: nova {@code virt/hardware.py} (parse_cpu_spec).
 */
public final class CpuList {
    /** Limits the characters; every CPU of {@link CpuSet} listed one by one is shorter than this. */
    private static final int LENGTH_MAX = 512 * 1024;

    private CpuList() {}

    /**
     * Returns a set, possibly empty. Refuses text that is not a list, or an included number above
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

    /** Parses a mask within the CPUs of an instance: one that starts with an exclusion means all other CPUs. */
    public static Derived<CpuSet> parseMask(String text, int vcpus) {
        return parse(text.strip().startsWith("^") ? "0-" + (vcpus - 1) + "," + text : text);
    }

    /** Returns null unless it is a number, or two with the first not above the second. */
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

    /** Collects ranges into one set; discards numbers above the highest CPU number. */
    private static final class Ranges {
        private final BitSet bits = new BitSet();

        void add(Range range) {
            // No number is negative: a sign in front of the first number would have been parsed as a range.
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
