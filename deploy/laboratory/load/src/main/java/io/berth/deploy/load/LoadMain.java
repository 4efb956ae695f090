package io.berth.deploy.load;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.floor.ConstantBodies;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.report.WatchedProcess;
import io.berth.deploy.load.situation.Situations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The command line of the load generator. The script {@code deploy/bench} runs this class, and starts Berth first if no
 * URL is given. Exit status: 0 all responses and checks were right; 1 a response or check was wrong, the service cannot
 * be measured, or the run failed; 2 invalid arguments.
 */
@Command(
        name = "deploy/bench",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "",
            "Puts load on a Placement service (Berth's or any other) and on the scheduler, checks every response, and"
                    + " prints rates, latencies and processor time. Without --url it starts Berth with a database of"
                    + " its own on free ports, and stops it afterwards. The service must be empty; what is loaded is"
                    + " removed at the end. docs/benchmarks.md explains how to read the figures.",
            ""
        })
public final class LoadMain implements Callable<Integer> {
    private static final List<String> FLEETS_DEFAULT = List.of("flat:1000");
    /** The fleets of --short. The largest is last, because --keep keeps the last fleet. */
    private static final List<String> FLEETS_SHORT = List.of("nested:20", "wide:1", "flat:1000");
    /** The default for situations that need many hosts, see {@link Situations#useLargeFleet}. */
    private static final List<String> FLEETS_LARGE = List.of("flat:5000");
    private static final int CONNECTIONS_MAX = 1024;
    private static final int SECONDS_MAX = 3600;
    private static final double RATE_MAX = 100_000;
    private static final double REFERENCE_MS_MAX = 600_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", description = "of the Placement service")
    private String url;

    @Option(names = "--scheduler-url", paramLabel = "URL", description = "of Berth's scheduler, for the situations "
            + Situations.SCHEDULE + ", " + Situations.SCHEDULE_QUESTIONED + ", " + Situations.SCHEDULE_MIX + " and "
            + Situations.SHAPES)
    private String schedulerUrl;

    @Option(names = "--replicas-scheduler-url", paramLabel = "URL",
            description = "of another scheduler on the same database, which finds two or more replicas of the Placement"
                    + " service behind a proxy, for " + Situations.SCHEDULE_MIX_REPLICAS)
    private String replicasSchedulerUrl;

    @Option(names = "--unrecorded-scheduler-url", paramLabel = "URL",
            description = "of another scheduler on the same database, which makes no records of decisions, for "
                    + Situations.SCHEDULE_UNRECORDED)
    private String unrecordedSchedulerUrl;

    @Option(names = "--token", defaultValue = "admin", description = "header x-auth-token (default: ${DEFAULT-VALUE})")
    private String token;

    @Option(names = "--allow-remote", description = "allow URLs of other machines; by default, only loopback addresses")
    private boolean allowRemote;

    @Option(names = "--fleet", split = ",", paramLabel = "SHAPE:HOSTS",
            description = "fleets to measure, one after another; SHAPE is flat, nested (4 providers per host) or wide"
                    + " (9). Default: flat:1000; flat:5000 if --situations has only " + Situations.SCHEDULE_MIX + ", "
                    + Situations.SCHEDULE_MIX_REPLICAS + " or " + Situations.SHAPES)
    private List<String> fleets;

    @Option(names = "--situations", split = ",", paramLabel = "NAME",
            description = "only these situations; by default all but " + Situations.SHAPES
                    + "; the names are ${sys:situations}")
    private List<String> situations = new ArrayList<>();

    @Option(names = "--connections", split = ",", paramLabel = "N",
            description = "numbers of connections to measure with (default: 1,8,32)")
    private List<Integer> connections;

    @Option(names = "--seconds", description = "duration of each measurement (default: 8)")
    private Integer seconds;

    @Option(names = "--warm-up", paramLabel = "SECONDS",
            description = "the same load, unmeasured, before each measurement (default: 2)")
    private Integer warmUp;

    @Option(names = "--rate", paramLabel = "PER-SECOND",
            description = "open loop: send requests at this rate over at most N connections; latencies count from the"
                    + " time at which each request was due")
    private double rate;

    @Option(names = "--load-connections", paramLabel = "N", defaultValue = "16",
            description = "connections for loading and removing the fleet (default: ${DEFAULT-VALUE})")
    private int loadConnections;

    @Option(names = "--seed", defaultValue = "1",
            description = "seed of all random choices (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--watch", split = ",", paramLabel = "LABEL=PID",
            description = "count the processor time of these processes and their descendants (Linux)")
    private List<String> watched = new ArrayList<>();

    @Option(names = "--no-floors",
            description = "do not measure the floors, for comparison what the machine can do at most: a server with"
                    + " constant responses, and pgbench; --marks measures them nevertheless")
    private boolean noFloors;

    @Option(names = "--constant-body", paramLabel = "FOLDER", hidden = true,
            description = "the packaged deploy/laboratory/constant-body; set by deploy/bench")
    private Path constantBody;

    @Option(names = "--service-java-opts", paramLabel = "OPTIONS", hidden = true, defaultValue = "",
            description = "JVM options of the services, for the server with constant responses; set by deploy/bench")
    private String serviceJavaOpts;

    @Option(names = "--keep", description = "leave the last fleet in the service")
    private boolean keep;

    @Option(names = "--short", description = "only check that the responses are right: every situation for 1 second"
            + " over 8 connections, on 20 nested hosts, 1 wide and 1,000 flat, without floors")
    private boolean isShort;

    @Option(names = "--marks", split = ",", arity = "0..1", paramLabel = "NAME", fallbackValue = "",
            description = "measure the targets of docs/benchmarks.md: all, on up to 50,000 hosts, in about 50 minutes,"
                    + " or the named ones, on 5,000 hosts (names: ${sys:marks}). --seconds and --warm-up default to 8;"
                    + " --fleet, --situations, --connections, --rate and --short are refused")
    private List<String> marks;

    @Option(names = "--reference-p50", paramLabel = "MS",
            description = "with --marks: the median latency of OpenStack's Placement for limit-1000 on flat:5000 over 1"
                    + " connection")
    private double referenceP50Ms;

    @Option(names = "--markdown", paramLabel = "FILE",
            description = "with --marks: write the table of marks to this file")
    private Path markdown;

    @Option(names = "--out", paramLabel = "FILE", defaultValue = "bench.json",
            description = "file for all figures, as JSON")
    private Path out;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"--help", "-h"}, usageHelp = true, description = "show this help")
    private boolean help;

    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        System.setProperty("situations", String.join(", ", Situations.names()));
        System.setProperty("marks", String.join(", ", Marks.namesMeasuredAlone()));
        return new CommandLine(new LoadMain())
                .setParameterExceptionHandler(LoadMain::printUsageError)
                .setExecutionExceptionHandler(LoadMain::printFailure)
                .execute(args);
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = settings();
        System.out.println("bench: random choices with --seed " + settings.seed());
        boolean allRight =
                marks != null ? new Marks(settings, System.out).run() : new Bench(settings, System.out).run();
        return allRight ? 0 : 1;
    }

    /**
     * Returns the settings that the options give.
     *
     * @throws ParameterException if they are invalid; the message is one line for the user
     */
    Settings settings() {
        try {
            if (url == null) {
                throw new IllegalArgumentException("--url is missing");
            }
            boolean isMarks = marks != null;
            // The names of the marks to measure; empty for all marks.
            List<String> markNames = isMarks ? marks.stream().filter(name -> !name.isEmpty()).toList() : List.of();
            List<String> knownNames = Marks.namesMeasuredAlone();
            markNames.stream().filter(name -> !knownNames.contains(name)).findFirst().ifPresent(name -> {
                throw new IllegalArgumentException(
                        "--marks: " + name + " is unknown; the names are " + String.join(", ", knownNames));
            });
            Target placement = requireLoopback(Target.parse(url, token));
            Target scheduler = schedulerUrl == null ? null : requireLoopback(Target.parse(schedulerUrl, token));
            Target replicasScheduler =
                    replicasSchedulerUrl == null ? null : requireLoopback(Target.parse(replicasSchedulerUrl, token));
            Target unrecordedScheduler =
                    unrecordedSchedulerUrl == null
                            ? null
                            : requireLoopback(Target.parse(unrecordedSchedulerUrl, token));
            for (String name : List.of(
                    Situations.SCHEDULE, Situations.SCHEDULE_QUESTIONED, Situations.SCHEDULE_MIX, Situations.SHAPES)) {
                if (situations.contains(name) && scheduler == null) {
                    throw new IllegalArgumentException("the situation " + name + " needs --scheduler-url");
                }
            }
            if (replicasScheduler != null && scheduler == null) {
                throw new IllegalArgumentException("--replicas-scheduler-url needs --scheduler-url");
            }
            if (unrecordedScheduler != null && scheduler == null) {
                throw new IllegalArgumentException("--unrecorded-scheduler-url needs --scheduler-url");
            }
            if (isMarks && (isShort || fleets != null || !situations.isEmpty() || connections != null || rate != 0)) {
                throw new IllegalArgumentException(
                        "--marks chooses fleets, situations, connections and rates itself");
            }
            if (!isMarks && (referenceP50Ms != 0 || markdown != null)) {
                throw new IllegalArgumentException("--reference-p50 and --markdown need --marks");
            }
            requireBetween("--reference-p50", referenceP50Ms, 0, REFERENCE_MS_MAX);
            List<Fleet> parsedFleets = orDefault(fleets,
                    isShort ? FLEETS_SHORT : Situations.useLargeFleet(situations) ? FLEETS_LARGE : FLEETS_DEFAULT)
                    .stream().map(Fleet::parse).toList();
            for (Fleet fleet : parsedFleets) {
                // Refuses unknown names.
                Situations.of(fleet.shape(), situations);
            }
            if (!situations.isEmpty()
                    && parsedFleets.stream().allMatch(fleet -> Situations.of(fleet.shape(), situations).isEmpty())) {
                throw new IllegalArgumentException("none of these situations is about " + parsedFleets);
            }
            List<Integer> connectionCounts = orDefault(connections, isShort ? List.of(8) : List.of(1, 8, 32));
            connectionCounts.forEach(
                    connectionCount -> requireBetween("--connections", connectionCount, 1, CONNECTIONS_MAX));
            requireBetween("--rate", rate, 0, RATE_MAX);
            requireBetween("--load-connections", loadConnections, 1, CONNECTIONS_MAX);
            // If the list is empty, Situations.of leaves out the situations that are played once. A short run must
            // check these, too, so it names all.
            List<String> situationNames =
                    isShort && situations.isEmpty() ? Situations.names() : List.copyOf(situations);
            return new Settings(placement, scheduler, replicasScheduler, unrecordedScheduler, parsedFleets,
                    situationNames, connectionCounts,
                    duration("--warm-up", warmUp, isMarks ? 8 : isShort ? 0 : 2, 0),
                    duration("--seconds", seconds, isShort ? 1 : 8, 1),
                    rate, loadConnections, seed, watched.stream().map(WatchedProcess::parse).toList(),
                    !noFloors && !isShort, constantBodies(),
                    System.getenv("BERTH_BENCH_DATABASE_URL"), keep, requireWritable(out),
                    markNames, referenceP50Ms, markdown == null ? null : requireWritable(markdown));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Returns the starter of the servers with constant responses. Null if the run has no {@code --marks} and measures
     * no floors, which means that it has {@code --short} or {@code --no-floors}.
     */
    private ConstantBodies constantBodies() {
        if (marks == null && (noFloors || isShort)) {
            return null;
        }
        if (constantBody == null) {
            throw new IllegalArgumentException("--constant-body is missing: start deploy/bench, or add --no-floors");
        }
        return new ConstantBodies(constantBody, serviceJavaOpts.isBlank()
                ? List.of()
                : List.of(serviceJavaOpts.strip().split("\\s+")));
    }

    private Target requireLoopback(Target target) {
        if (!allowRemote && !target.isLoopback()) {
            throw new IllegalArgumentException(target + " is not on this machine; add --allow-remote to use it");
        }
        return target;
    }

    /** Returns the values of an option; {@code defaultValues} if the option is absent. */
    private static <T> List<T> orDefault(List<T> values, List<T> defaultValues) {
        return values == null ? defaultValues : values;
    }

    private static Duration duration(String option, Integer value, int defaultValue, int min) {
        int seconds = value == null ? defaultValue : value;
        requireBetween(option, seconds, min, SECONDS_MAX);
        return Duration.ofSeconds(seconds);
    }

    /** Checks that the option's value is in the range. Throws IllegalArgumentException for the user if not. */
    private static void requireBetween(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            String text = value == Math.rint(value) ? "%.0f".formatted(value) : Double.toString(value);
            throw new IllegalArgumentException("%s must be %.0f to %.0f, not %s".formatted(option, min, max, text));
        }
    }

    private static Path requireWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isWritable(folder)) {
            throw new IllegalArgumentException("cannot write to the folder of " + file);
        }
        return file;
    }

    private static int printUsageError(ParameterException e, String[] args) {
        System.err.println("deploy/bench: " + e.getMessage() + " (try --help)");
        return 2;
    }

    /** Prints one line for an error that the user can fix. Any other exception is a bug; prints its stack trace. */
    private static int printFailure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        if (e instanceof NotMeasurable || e instanceof java.io.IOException) {
            System.err.println("deploy/bench: " + e.getMessage());
        } else {
            e.printStackTrace();
        }
        return 1;
    }
}
