package io.berth.deploy.migration;

import io.berth.deploy.migration.http.ApiFailure;
import io.berth.deploy.migration.http.Target;
import io.berth.deploy.migration.http.TrustedCertificates;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line of {@code deploy/import-placement}. */
@Command(
        name = "deploy/import-placement",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "",
            "Writes the state of a running Placement (OpenStack's, or another Berth) into Berth, over the API of both,"
                    + " and compares everything afterwards. May be run again: what is the same already is not touched,"
                    + " what differs is updated. Generations and dates stay each service's own. While it runs, nobody"
                    + " else should write to the target; a source that is written to meanwhile shows up as differences,"
                    + " which the next run settles.",
            ""
        },
        footer = {
            "",
            "Exit status: 0 both sides tell the same (or --dry-run came to its end), 1 they do not, or something"
                    + " failed, 2 the arguments make no sense, 3 all of the source is in the target, which has more.",
        })
public final class ImportMain implements Callable<Integer> {
    private static final int PARALLEL_MAX = 64;
    private static final int READS_MAX = 100_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--from", paramLabel = "URL", required = true, description = "the Placement to read")
    private String from;

    @Option(names = "--from-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_FROM_TOKEN:-admin}",
            description = "its x-auth-token; better in $BERTH_FROM_TOKEN, where no `ps` shows it (admin)",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private String fromToken;

    @Option(names = "--to", paramLabel = "URL", defaultValue = "http://127.0.0.1:8778",
            description = "the Berth to write to (${DEFAULT-VALUE})")
    private String to;

    @Option(names = "--to-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_TO_TOKEN:-admin}",
            description = "its x-auth-token, or in $BERTH_TO_TOKEN (admin)",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private String toToken;

    @Option(names = "--ca", paramLabel = "FILE",
            description = "PEM file of the authorities to believe in with https, instead of the JDK's own")
    private Path ca;

    @Option(names = "--dry-run", description = "compare and plan, write nothing")
    private boolean dryRun;

    @Option(names = "--prune", description = "remove what only the target has; without it, it is reported")
    private boolean prune;

    @Option(names = "--check", paramLabel = "N", defaultValue = "0",
            description = "ask both sides N random questions at the end: lists with filters, usages, allocations,"
                    + " candidates (0)")
    private int check;

    @Option(names = "--seed", defaultValue = "1", description = "of these questions (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "8",
            description = "requests under way at once (${DEFAULT-VALUE})")
    private int parallel;

    @Option(names = "--show", paramLabel = "N", defaultValue = "50",
            description = "differences printed of each kind (${DEFAULT-VALUE})")
    private int show;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"--help", "-h"}, usageHelp = true, description = "this text")
    private boolean help;

    private PrintStream out;

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** The exit status. */
    static int run(PrintStream out, PrintStream err, String... args) {
        var main = new ImportMain();
        main.out = out;
        return new CommandLine(main)
                .setParameterExceptionHandler((e, _) -> {
                    err.println("deploy/import-placement: " + e.getMessage() + " (try --help)");
                    return 2;
                })
                .setExecutionExceptionHandler((e, _, _) -> {
                    // What a user can do something about is one line; anything else is a bug and shows where.
                    if (e instanceof ApiFailure) {
                        err.println("deploy/import-placement: " + e.getMessage());
                    } else {
                        e.printStackTrace(err);
                    }
                    return 1;
                })
                .execute(args);
    }

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        return switch (new Import(settings(), out).run()) {
            case SAME, PLANNED -> 0;
            case DIFFERENT -> 1;
            case MORE_IN_TARGET -> 3;
        };
    }

    /** @throws ParameterException with one line for the user */
    Settings settings() {
        try {
            Target source = Target.parse(from, fromToken);
            Target target = Target.parse(to, toToken);
            if (source.url().equals(target.url())) {
                throw new IllegalArgumentException("--from and --to are the same");
            }
            within("--check", check, 0, READS_MAX);
            within("--parallel", parallel, 1, PARALLEL_MAX);
            within("--show", show, 0, Integer.MAX_VALUE);
            return new Settings(source, target, ca == null ? null : TrustedCertificates.load(ca), dryRun, prune, check,
                    seed, parallel, show);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void within(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s takes %,d to %,d, not %,d".formatted(option, min, max, value));
        }
    }
}
