package io.berth.deploy.load.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads from {@code /proc} how many bytes a process has written to files and sockets. Writes to sockets count because a
 * JVM makes them with the system call write. Source: proc_pid_io(5), wchar.
 */
final class WrittenBytes {
    private static final String FIELD = "wchar:";

    private WrittenBytes() {}

    /**
     * Returns the bytes so far; NaN if there is no such process, if the process belongs to another user, or if there is
     * no {@code /proc}.
     */
    static double bytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "io")).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToDouble(line -> Double.parseDouble(line.substring(FIELD.length()).strip()))
                    .findFirst().orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
