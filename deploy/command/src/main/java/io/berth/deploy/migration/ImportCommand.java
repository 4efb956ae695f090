package io.berth.deploy.migration;

import io.berth.deploy.cloud.Access;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** The command line of the import. */
@Command(
        name = "import",
        header = "move over from another Placement",
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
            "Exit status: 0 both sides have the same (or --dry-run came to its end), 1 they do not, or something"
                    + " failed, 2 the arguments make no sense, or both lead to one service, 3 all of the source is in the target, which has more."
        })
public final class ImportCommand implements Callable<Integer> {
    private static final int PARALLEL_MAX = 64;
    private static final int READS_MAX = 100_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--from", paramLabel = "URL|CLOUD",
            description = "the Placement to read: its URL, or a cloud of clouds.yaml; without, what OS_* variables say")
    private String from;

    @Option(names = "--from-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_FROM_TOKEN}",
            description = "x-auth-token for it, instead of what the cloud says; better in $$BERTH_FROM_TOKEN, where no `ps`"
                    + " shows it. It is not renewed, as a login by clouds.yaml or OS_* variables is")
    private String fromToken;

    @Option(names = "--from-database", paramLabel = "URL", defaultValue = "${env:BERTH_FROM_DATABASE}",
            description = "read OpenStack's Placement straight out of its PostgreSQL, MariaDB or MySQL, in one snapshot and in"
                    + " seconds: mysql+pymysql://user:password@host/placement, as in placement.conf; better in"
                    + " $$BERTH_FROM_DATABASE."
                    + " --from is needed for --check alone then")
    private String fromDatabase;

    @Option(names = "--to", paramLabel = "URL|CLOUD",
            description = "the Berth to write to, likewise; without, this machine's")
    private String to;

    @Option(names = "--to-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_TO_TOKEN}",
            description = "x-auth-token for it, or in $$BERTH_TO_TOKEN")
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

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "of these questions (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "8",
            description = "requests under way at once (${DEFAULT-VALUE})")
    private int parallel;

    @Option(names = "--show", paramLabel = "N", defaultValue = "50",
            description = "differences printed of each kind (${DEFAULT-VALUE})")
    private int show;

    @Option(names = "--journal", paramLabel = "FILE",
            description = "keeps what was read of the source, so that an interrupted run goes on where it was, and the next"
                    + " one reads what changed (~/.local/state/berth/import-SOURCE)")
    private Path journal;

    @Option(names = "--anew", description = "read all of the source again, whatever the journal knows")
    private boolean anew;

    @Override
    public Integer call() throws ApiFailure, InterruptedException, IOException {
        within("--check", check, 0, READS_MAX);
        within("--parallel", parallel, 1, PARALLEL_MAX);
        within("--show", show, 0, Integer.MAX_VALUE);
        DatabaseReader database = fromDatabase == null || fromDatabase.isEmpty() ? null : new DatabaseReader(fromDatabase);
        if (database != null && from == null && check > 0) {
            throw new IllegalArgumentException("--check asks the API of both sides: say --from too");
        }
        RestClient source = database != null && from == null ? null : side("--from", from, fromToken);
        RestClient target = to == null ? side("--to", Service.PLACEMENT.localUrl(), toToken) : side("--to", to, toToken);
        if (source != null && source.endpoint().equals(target.endpoint())) {
            throw new IllegalArgumentException("--from and --to are the same: " + source.endpoint());
        }
        try (Journal known = database == null ? journal(source.endpoint().url()) : Journal.inMemory()) {
            var settings = new Settings(source, database, target, known, dryRun, prune, check, seed, parallel, show);
            return switch (new Import(settings, spec.commandLine().getOut()).run()) {
                case SAME, PLANNED -> 0;
                case DIFFERENT -> 1;
                case MORE_IN_TARGET -> 3;
            };
        }
    }

    /** @throws IllegalArgumentException with one line for the user */
    private Journal journal(String source) {
        Path file = journal == null ? usualJournal(source) : journal;
        try {
            if (anew) {
                Files.deleteIfExists(file);
            }
            return Journal.open(file, source);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("cannot read or write %s: name another file with --journal".formatted(file), e);
        }
    }

    private static Path usualJournal(String source) {
        String state = System.getenv("XDG_STATE_HOME");
        Path folder = state == null || state.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        return folder.resolve("berth").resolve("import-" + source.replaceAll("[^A-Za-z0-9.]+", "-"));
    }

    private RestClient side(String option, String where, String token) throws ApiFailure, InterruptedException {
        boolean isUrl = where != null && where.contains("://");
        Access access = Access.of(isUrl ? null : where, token == null || token.isEmpty() ? null : token, ca,
                System.getenv());
        if (where == null && !access.isStated()) {
            throw new IllegalArgumentException(
                    option + " is missing: the URL of a Placement, or the name of a cloud in clouds.yaml");
        }
        return access.client(Service.PLACEMENT, isUrl ? where : null);
    }

    private static void within(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s takes %,d to %,d, not %,d".formatted(option, min, max, value));
        }
    }
}
