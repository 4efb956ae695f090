package io.berth.deploy.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a service's JVM after a full garbage collection.
 *
 * @param usedKb the used heap in KB: the sum of all generations that {@code jcmd GC.heap_info} prints
 * @param residentKb resident memory of the process, in KB
 */
record ServiceMemory(long usedKb, long residentKb) {
    /**
     * The line of a generation, or of the whole heap with the G1 collector. The lines of spaces and of the metaspace
     * have another form.
     */
    private static final Pattern GENERATION = Pattern.compile("total \\d+K, used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+)");

    /** Runs a full garbage collection in the JVM with this process id, and reads the memory of the process. */
    static ServiceMemory of(long pid) throws IOException, InterruptedException {
        runJcmd(pid, "GC.run");
        long usedKb = usedKb(runJcmd(pid, "GC.heap_info"));
        Matcher resident = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
        if (usedKb == 0 || !resident.find()) {
            throw new IOException("cannot read the memory of process " + pid + " from jcmd and /proc");
        }
        return new ServiceMemory(usedKb, Long.parseLong(resident.group(1)));
    }

    /** Returns the sum of all generations in the output of {@code jcmd GC.heap_info}; 0 if it has none. */
    static long usedKb(String heapInfo) {
        return GENERATION.matcher(heapInfo).results().mapToLong(found -> Long.parseLong(found.group(1))).sum();
    }

    private static String runJcmd(long pid, String jcmdCommand) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), String.valueOf(pid), jcmdCommand)
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("jcmd " + pid + " " + jcmdCommand + ": " + output.strip());
        }
        return output;
    }
}
