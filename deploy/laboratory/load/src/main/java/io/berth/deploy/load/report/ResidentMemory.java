package io.berth.deploy.load.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the resident memory of a process from {@code /proc}. Source: proc_pid_status(5). */
public final class ResidentMemory {
    private static final String FIELD = "VmRSS:";

    private ResidentMemory() {}

    /** Returns the resident memory in MB of 1,048,576 bytes; NaN if there is no such process or no {@code /proc}. */
    public static double mb(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToDouble(
                            line -> Long.parseLong(line.substring(FIELD.length()).replace("kB", "").strip()) / 1024.0)
                    .findFirst().orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
