package io.berth.deploy.checks.nativeimage;

import java.lang.classfile.ClassModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds static initializers that capture state of the build machine. They run at build time: values that they read,
 * generate or start would be the same in every process, or would fail the build.
 */
final class BuildTimeState {
    private static final Pattern OF_THE_MACHINE = Pattern.compile(String.join("|",
            "java/lang/System\\.(getenv|getProperty|nanoTime|currentTimeMillis)",
            "java/lang/Runtime\\.(availableProcessors|maxMemory|totalMemory)",
            "java/time/(Instant|LocalDate|LocalDateTime|ZonedDateTime|OffsetDateTime)\\.now",
            "java/time/(Clock\\.system.*|ZoneId\\.systemDefault)",
            "java/util/UUID\\.randomUUID",
            "java/security/SecureRandom\\.(<init>|getInstance.*)",
            "java/util/(Random|SplittableRandom)\\.<init>",
            "java/util/concurrent/ThreadLocalRandom\\.current",
            "java/util/concurrent/Executors\\..*",
            "java/lang/Thread\\.(start|startVirtualThread|ofVirtual|ofPlatform)",
            "java/net/http/HttpClient\\..*",
            "java/net/InetAddress\\..*",
            "java/nio/file/Files\\..*",
            "java/lang/ProcessHandle\\..*",
            "org/eclipse/microprofile/config/ConfigProvider\\..*"));

    private record Step(String owner, String name, String descriptor, String path) {}

    private BuildTimeState() {}

    /**
     * Returns one line per place, with the path from the initializer to it, or an empty list if nothing is captured.
     */
    static List<String> captured(Map<String, ClassModel> classes) {
        List<String> found = new ArrayList<>();
        classes.forEach((name, type) -> {
            Deque<Step> open = new ArrayDeque<>();
            Set<String> seen = new HashSet<>();
            open.add(new Step(name, "<clinit>", "()V", name));
            while (!open.isEmpty()) {
                Step step = open.poll();
                for (Calls.Call call : callsOf(classes, step)) {
                    String target = call.owner() + "." + call.name();
                    if (OF_THE_MACHINE.matcher(target).matches()) {
                        found.add(step.path() + " -> " + target);
                    }
                    // A lambda is only created here; the analysis cannot see if it is called. Its creation counts.
                    if (!call.name().startsWith("lambda$") && seen.add(target + call.descriptor())) {
                        open.add(new Step(call.owner(), call.name(), call.descriptor(), step.path() + " -> " + target));
                    }
                }
            }
        });
        return found;
    }

    private static List<Calls.Call> callsOf(Map<String, ClassModel> classes, Step step) {
        ClassModel type = classes.get(step.owner());
        return type == null ? List.of() : type.methods().stream()
                .filter(method -> method.methodName().equalsString(step.name())
                        && method.methodType().equalsString(step.descriptor()))
                .flatMap(method -> Calls.in(type, method).stream())
                .toList();
    }
}
