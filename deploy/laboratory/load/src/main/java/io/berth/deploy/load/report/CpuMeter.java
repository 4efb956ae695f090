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
 * Processor time of process trees and of this process, from {@code /proc}. Where there is none (macOS) it is empty.
 * Source: proc_pid_stat(5).
 */
public record CpuMeter(List<Watched> watched) {
    /** Label of the process that makes the load: this one. */
    public static final String GENERATOR = "generator";

    private static final Path PROC = Path.of("/proc");
    /** USER_HZ, the same on every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100.0;

    public CpuMeter {
        watched = List.copyOf(watched);
    }

    /** Times so far of one process. Ended children are those it has waited for. */
    private record Times(long parent, double own, double endedChildren) {}

    /** Returns the seconds by label; leaves out a watched process that does not exist. */
    public Map<String, Double> seconds() {
        Map<Long, Times> all = processes();
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (Watched root : watched) {
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

    /** Returns the MB in RAM by label, of the watched process alone; leaves out those that cannot be read. */
    public Map<String, Double> residentMb() {
        return ofEach(Resident::mb, Math::max);
    }

    /** Returns the bytes written so far by label. */
    public Map<String, Double> writtenBytes() {
        return ofEach(Written::bytes, Double::sum);
    }

    private Map<String, Double> ofEach(LongToDoubleFunction figure, BinaryOperator<Double> ofSameLabel) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (Watched each : watched) {
            double value = figure.applyAsDouble(each.pid());
            if (!Double.isNaN(value)) {
                all.merge(each.label(), value, ofSameLabel);
            }
        }
        return all;
    }

    /** Returns what was spent since, for the labels known at both times. */
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
                    // Between the listing and the reading.
                }
            }
        } catch (IOException noProc) {
            return Map.of();
        }
        return all;
    }

    /** Parses the fields after the name (field 2), which may contain blanks and brackets. */
    private static Times parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return new Times(
                Long.parseLong(fields[1]),
                (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND,
                (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND);
    }
}
