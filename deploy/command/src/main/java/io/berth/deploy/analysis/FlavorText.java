package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A flavor as a user types it: {@code 4:8192:40}, {@code 4:8GiB:40}, or {@code m1.medium=4:8192:40}. The numbers are
 * vCPUs, memory in MB and disk in GB, unless a unit follows; the disk may be omitted. As in nova, MB and GB are powers
 * of 1,024: the same as MiB and GiB.
 *
 * @param name the name before the equals sign; the whole text if it has none
 * @param diskGb the root disk; 0 if it was omitted
 */
record FlavorText(String name, int vcpus, int memoryMb, int diskGb) {
    /** Groups: 1 name, 2 vCPUs, 3 memory, 4 unit of the memory, 5 disk, 6 unit of the disk. */
    private static final Pattern PATTERN =
            Pattern.compile("(?:([^=]+)=)?(\\d{1,9}):(\\d{1,9})([MGT]iB)?(?::(\\d{1,9})([GT]iB)?)?");
    /** The first letters of the units MiB, GiB and TiB; each unit is 1,024 times the unit before it. */
    private static final String UNITS = "MGT";

    static final class Converter implements ITypeConverter<FlavorText> {
        @Override
        public FlavorText convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                // picocli adds the class name to the message of any other exception.
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /**
     * Parses the text of one flavor.
     *
     * @throws IllegalArgumentException if the text is not a flavor; the message is one line for the user
     */
    static FlavorText parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    text + ": must be a flavor such as 4:8192:40 or 4:8GiB:40 (vcpus, memory in MB, disk in GB)");
        }
        return new FlavorText(matcher.group(1) == null ? text : matcher.group(1), Integer.parseInt(matcher.group(2)),
                amount(text, matcher.group(3), matcher.group(4), 'M'),
                matcher.group(5) == null ? 0 : amount(text, matcher.group(5), matcher.group(6), 'G'));
    }

    /**
     * Converts an amount of memory or disk to the target unit.
     *
     * @param text the whole flavor, for the message of the exception
     * @param unit MiB, GiB or TiB; null if the number is already in the target unit
     * @param targetUnit the first letter of the unit of the result: M for MiB, G for GiB
     * @throws IllegalArgumentException if the result exceeds {@link Integer#MAX_VALUE}
     */
    private static int amount(String text, String number, String unit, char targetUnit) {
        int steps = unit == null ? 0 : UNITS.indexOf(unit.charAt(0)) - UNITS.indexOf(targetUnit);
        long amount = Long.parseLong(number) << 10 * steps;
        if (amount > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(text + ": memory and disk must be at most " + Integer.MAX_VALUE);
        }
        return (int) amount;
    }

    void render(ObjectNode flavor) {
        flavor.put("name", name).put("vcpus", vcpus).put("memory_mb", memoryMb).put("root_gb", diskGb);
    }
}
