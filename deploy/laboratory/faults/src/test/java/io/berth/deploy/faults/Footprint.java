package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resources that a process uses. Source: Linux, {@code /proc/PID}.
 *
 * @param files open file descriptors, including connections
 * @param residentMb memory
 */
record Footprint(int threads, int files, int residentMb) {
    private static final int MORE_THREADS_MAX = 12;
    private static final int MORE_FILES_MAX = 24;
    /** The services of these tests run with a heap of 224 MB. */
    private static final int RESIDENT_MB_MAX = 700;

    static Footprint of(Process process) {
        Path proc = Path.of("/proc", String.valueOf(process.pid()));
        try (var files = Files.list(proc.resolve("fd"))) {
            int count = (int) files.count();
            int threads = 0;
            int residentMb = 0;
            for (String line : Files.readAllLines(proc.resolve("status"))) {
                if (line.startsWith("Threads:")) {
                    threads = Integer.parseInt(line.replaceAll("\\D", ""));
                } else if (line.startsWith("VmRSS:")) {
                    residentMb = Integer.parseInt(line.replaceAll("\\D", "")) / 1024;
                }
            }
            return new Footprint(threads, count, residentMb);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that nothing leaked: soon after the fault the process uses about as much as before. */
    static void checkAgainst(Footprint before, Process process) {
        Await.eventually("threads and files as before: " + before + ", now " + of(process), () -> {
            Footprint now = of(process);
            return now.threads <= before.threads + MORE_THREADS_MAX && now.files <= before.files + MORE_FILES_MAX;
        });
        assertThat(of(process).residentMb).as("resident MB").isLessThan(RESIDENT_MB_MAX);
    }
}
