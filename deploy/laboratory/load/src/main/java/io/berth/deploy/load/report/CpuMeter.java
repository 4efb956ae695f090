package io.berth.deploy.load.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.LongToDoubleFunction;

/**
 * Reads processor time, memory and written bytes of the watched processes, and the processor time of this process, from
 * {@code /proc}. Without {@code /proc} (macOS) all results are empty. Source: proc_pid_stat(5).
 */
public record CpuMeter(List<WatchedProcess> watched) {
    /** The label of this process, the load generator. */
    public static final String GENERATOR = "generator";

    private static final Path PROC = Path.of("/proc");
    /** USER_HZ, the unit of times in /proc: the same on every Linux that Java supports. */
    private static final double TICKS_PER_SECOND = 100.0;

    public CpuMeter {
        watched = List.copyOf(watched);
    }

    /**
     * The processor time of one process so far, in seconds.
     *
     * @param endedChildren the time of children that have ended and for which the process has waited
     */
    private record Times(long parent, double own, double endedChildren) {}

    /**
     * Returns the seconds of processor time so far, by label: of each watched process with all processes below it, and
     * of this process. Leaves out a watched process that does not exist.
     */
    public Map<String, Double> seconds() {
        Map<Long, Times> all = processes();
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (WatchedProcess root : watched) {
            if (all.containsKey(root.pid())) {
                seconds.merge(root.label(), ofTree(root.pid(), all), Double::sum);
            }
        }
        Times own = all.get(ProcessHandle.current().pid());
        if (own != null) {
            seconds.put(GENERATOR, own.own());
        }
        return seconds;
    }

    /**
     * Returns the resident memory in MB by label, of the watched processes without those below them. Leaves out a
     * process that cannot be read.
     */
    public Map<String, Double> residentMb() {
        return ofEach(ResidentMemory::mb, Math::max);
    }

    /** Returns the bytes that each watched process has written so far, by label. */
    public Map<String, Double> writtenBytes() {
        return ofEach(WrittenBytes::bytes, Double::sum);
    }

    private Map<String, Double> ofEach(LongToDoubleFunction figure, BinaryOperator<Double> ofSameLabel) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (WatchedProcess each : watched) {
            double value = figure.applyAsDouble(each.pid());
            if (!Double.isNaN(value)) {
                all.merge(each.label(), value, ofSameLabel);
            }
        }
        return all;
    }

    /** Returns the increase of each value from {@code before} to {@code now}, for the labels that are in both. */
    public static Map<String, Double> since(Map<String, Double> before, Map<String, Double> now) {
        Map<String, Double> spent = new LinkedHashMap<>();
        now.forEach((label, seconds) -> {
            if (before.containsKey(label)) {
                spent.put(label, Math.max(0, seconds - before.get(label)));
            }
        });
        return spent;
    }

    private static double ofTree(long root, Map<Long, Times> all) {
        double sum = all.get(root).endedChildren();
        for (long pid : all.keySet()) {
            if (isBelow(pid, root, all)) {
                sum += all.get(pid).own();
            }
        }
        return sum;
    }

    private static boolean isBelow(long pid, long root, Map<Long, Times> all) {
        long at = pid;
        while (at != root) {
            Times process = all.get(at);
            if (process == null || process.parent() == at) {
                return false;
            }
            at = process.parent();
        }
        return true;
    }

    private static Map<Long, Times> processes() {
        Map<Long, Times> all = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                try {
                    long pid = Long.parseLong(folder.getFileName().toString());
                    all.put(pid, parse(Files.readString(folder.resolve("stat"))));
                } catch (IOException ended) {
                    // The process ended after it was listed.
                }
            }
        } catch (IOException noProc) {
            return Map.of();
        }
        return all;
    }

    /** Parses the fields after the name in field 2, which is in parentheses and may contain blanks and parentheses. */
    private static Times parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new Times(
                Long.parseLong(fields[1]),
                (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND,
                (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND);
    }
}
