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
 * Reads from {@code /proc} the processor time, memory and written bytes of the watched processes, and the processor
 * time of this process. Without {@code /proc} (macOS), all results are empty.
 *
 * <p>Source: proc_pid_stat(5).
 */
public record ProcessMeter(List<WatchedProcess> watched) {
    /** The label of this process, the load generator. */
    public static final String GENERATOR = "generator";

    private static final Path PROC = Path.of("/proc");
    /** USER_HZ, the unit of times in /proc: the same on every Linux that Java supports. */
    private static final double TICKS_PER_SECOND = 100.0;

    public ProcessMeter {
        watched = List.copyOf(watched);
    }

    /**
     * A process's parent, and its processor time so far, in seconds.
     *
     * @param parentPid the id of the parent process
     * @param endedChildren the time of children that have ended and for which the process has waited
     */
    private record Times(long parentPid, double own, double endedChildren) {}

    /**
     * Returns the seconds of processor time so far, by label: of each watched process with its descendants, and of this
     * process. If several watched processes share a label, their seconds are added; a process that does not exist is
     * left out. An ended child of a watched process still counts; an ended child of a descendant does not, until the
     * descendant ends, too.
     */
    public Map<String, Double> seconds() {
        Map<Long, Times> processes = readProcesses();
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (WatchedProcess root : watched) {
            if (processes.containsKey(root.pid())) {
                seconds.merge(root.label(), secondsOfTree(root.pid(), processes), Double::sum);
            }
        }
        Times own = processes.get(ProcessHandle.current().pid());
        if (own != null) {
            seconds.put(GENERATOR, own.own());
        }
        return seconds;
    }

    /**
     * Returns the resident memory of each watched process, without its descendants, in MB by label. If several
     * processes share a label, the highest value counts. Leaves out a process that cannot be read.
     */
    public Map<String, Double> residentMb() {
        return readEach(ResidentMemory::mb, Math::max);
    }

    /**
     * Returns the bytes that each watched process, without its descendants, has written so far, by label. If several
     * processes share a label, their bytes are added. Leaves out a process that cannot be read.
     */
    public Map<String, Double> writtenBytes() {
        return readEach(WrittenBytes::bytes, Double::sum);
    }

    private Map<String, Double> readEach(LongToDoubleFunction figure, BinaryOperator<Double> combine) {
        Map<String, Double> valueByLabel = new LinkedHashMap<>();
        for (WatchedProcess process : watched) {
            double value = figure.applyAsDouble(process.pid());
            if (!Double.isNaN(value)) {
                valueByLabel.merge(process.label(), value, combine);
            }
        }
        return valueByLabel;
    }

    /**
     * Returns the increase of each value from {@code before} to {@code after}, for the labels that are in both maps. A
     * decrease, as when one of several processes has ended, counts as 0.
     */
    public static Map<String, Double> increases(Map<String, Double> before, Map<String, Double> after) {
        Map<String, Double> increase = new LinkedHashMap<>();
        after.forEach((label, value) -> {
            if (before.containsKey(label)) {
                increase.put(label, Math.max(0, value - before.get(label)));
            }
        });
        return increase;
    }

    private static double secondsOfTree(long root, Map<Long, Times> processes) {
        double sum = processes.get(root).endedChildren();
        for (long pid : processes.keySet()) {
            if (isSameOrDescendant(pid, root, processes)) {
                sum += processes.get(pid).own();
            }
        }
        return sum;
    }

    /** Returns whether a process is the root or a descendant of the root. */
    private static boolean isSameOrDescendant(long pid, long root, Map<Long, Times> processes) {
        long ancestor = pid;
        while (ancestor != root) {
            Times process = processes.get(ancestor);
            if (process == null || process.parentPid() == ancestor) {
                return false;
            }
            ancestor = process.parentPid();
        }
        return true;
    }

    private static Map<Long, Times> readProcesses() {
        Map<Long, Times> processes = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                try {
                    long pid = Long.parseLong(folder.getFileName().toString());
                    processes.put(pid, parse(Files.readString(folder.resolve("stat"))));
                } catch (IOException e) {
                    // The process ended after it was listed.
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return processes;
    }

    /**
     * Parses the fields after the name. The name is field 2, is in parentheses, and may itself contain blanks and
     * parentheses. Therefore {@code fields[i]} is field i + 3 of proc_pid_stat(5): 4 is ppid, 14 utime, 15 stime, 16
     * cutime, 17 cstime.
     */
    private static Times parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new Times(
                Long.parseLong(fields[1]),
                (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND,
                (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND);
    }
}
