package io.berth.model.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.nativeimage.RuntimeOptions;

/**
 * Limits the heap of a native executable to the {@code -Xmx} in {@code JAVA_TOOL_OPTIONS}. A JVM reads its options from
 * this environment variable, a native executable does not; with this class the same limit works for both.
 */
public final class NativeHeap {
    static final String VARIABLE = "JAVA_TOOL_OPTIONS";
    private static final Pattern HEAP_MAX = Pattern.compile("-Xmx(\\d{1,12})([kKmMgG]?)");

    private NativeHeap() {}

    /**
     * A JVM's options as a native executable uses them.
     *
     * @param heapBytesMax the value of the last {@code -Xmx}, in bytes; empty if there is none
     * @param ignored all other options, and each {@code -Xmx} whose value is not digits with k, m, g or no unit
     */
    record Options(OptionalLong heapBytesMax, List<String> ignored) {
        static Options parse(String text) {
            OptionalLong heap = OptionalLong.empty();
            List<String> ignored = new ArrayList<>();
            for (String option : text.trim().split("\\s+")) {
                Matcher heapMax = HEAP_MAX.matcher(option);
                if (heapMax.matches()) {
                    heap = OptionalLong.of(bytes(heapMax));
                } else if (!option.isEmpty()) {
                    ignored.add(option);
                }
            }
            return new Options(heap, List.copyOf(ignored));
        }

        private static long bytes(Matcher heapMax) {
            int shift = switch (heapMax.group(2)) {
                case "k", "K" -> 10;
                case "m", "M" -> 20;
                case "g", "G" -> 30;
                default -> 0;
            };
            return Long.parseLong(heapMax.group(1)) << shift;
        }
    }

    /** Sets the limit, if there is one, and prints the ignored options on standard error. Does nothing in a JVM. */
    public static void limit(Map<String, String> environment) {
        if (!"runtime".equals(System.getProperty("org.graalvm.nativeimage.imagecode"))) {
            return;
        }
        Options options = Options.parse(environment.getOrDefault(VARIABLE, ""));
        options.heapBytesMax().ifPresent(bytes -> RuntimeOptions.set("MaxHeapSize", bytes));
        if (!options.ignored().isEmpty()) {
            System.err.println(VARIABLE + ": a native executable ignores " + String.join(" ", options.ignored()));
        }
    }
}
