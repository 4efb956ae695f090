package io.berth.scheduler.numa;

import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import jakarta.annotation.Nullable;
import java.util.BitSet;

/**
 * Parses lists of CPU numbers: {@code 0-7,^3} means 0 to 7 without 3. Exclusions apply after all inclusions, regardless
 * of their order. Blanks around numbers and empty items are ignored.
 * <br>Source: nova {@code virt/hardware.py} (parse_cpu_spec).
 */
public final class CpuList {
    /**
     * Maximum length of a list in characters; a longer list is refused. A list of every valid CPU number is shorter.
     */
    private static final int LENGTH_MAX = 512 * 1024;

    private CpuList() {}

    /**
     * Parses a list. The set may be empty. Refuses text that is invalid or too long, and included numbers above {@link
     * CpuSet#CPU_MAX}.
     */
    public static DerivedValue<CpuSet> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return new DerivedValue.Refused<>("the CPU list is longer than %d characters".formatted(LENGTH_MAX));
        }
        var included = new Ranges();
        var excluded = new Ranges();
        for (String item : text.split(",")) {
            String rule = item.strip();
            if (rule.isEmpty()) {
                continue;
            }
            boolean excludes = rule.startsWith("^");
            Range range = parseRange(excludes ? rule.substring(1) : rule);
            if (range == null) {
                return new DerivedValue.Refused<>(
                        "'%s' is no CPU list: write numbers and ranges such as 0-3,^2".formatted(shorten(rule)));
            }
            if (excludes) {
                excluded.add(range);
            } else if (range.last() > CpuSet.CPU_MAX) {
                return new DerivedValue.Refused<>("CPU %d is above %d".formatted(range.last(), CpuSet.CPU_MAX));
            } else {
                included.add(range);
            }
        }
        return new DerivedValue.Value<>(included.cpus().minus(excluded.cpus()));
    }

    /**
     * Parses a mask of the virtual CPUs of an instance. A mask that starts with an exclusion includes all CPUs that it
     * does not exclude.
     *
     * @param vcpus number of virtual CPUs of the instance
     */
    public static DerivedValue<CpuSet> parseMask(String text, int vcpus) {
        return parse(text.strip().startsWith("^") ? "0-" + (vcpus - 1) + "," + text : text);
    }

    /** Parses a number, or two numbers in ascending order with a dash between them; null for any other text. */
    private static @Nullable Range parseRange(String rule) {
        int dash = rule.indexOf('-');
        Long first = IntegerText.parse(dash < 0 ? rule : rule.substring(0, dash));
        Long last = dash < 0 ? first : IntegerText.parse(rule.substring(dash + 1));
        return first == null || last == null || first > last ? null : new Range(first, last);
    }

    private static String shorten(String rule) {
        return rule.length() <= 40 ? rule : rule.substring(0, 40) + "...";
    }

    private record Range(long first, long last) {}

    /** Collects ranges into one set. Ignores the part of a range above {@link CpuSet#CPU_MAX}. */
    private static final class Ranges {
        private final BitSet bits = new BitSet();

        void add(Range range) {
            // A number cannot be negative, because a minus before it would be parsed as the dash of a range.
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
