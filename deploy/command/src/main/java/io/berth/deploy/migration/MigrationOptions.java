package io.berth.deploy.migration;

import io.berth.deploy.cloud.Access;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that import and export share. Runs the {@link Migration} with these options. */
final class MigrationOptions {
    private static final int PARALLEL_MAX = 64;
    private static final int READS_MAX = 100_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--ca", paramLabel = "FILE",
            description = "PEM file of the certificate authorities to trust, instead of the JDK's")
    private @Nullable Path ca;

    @Option(names = "--dry-run", description = "compare and plan, write nothing")
    private boolean dryRun;

    @Option(names = "--prune", description = "remove what only the target has; without it, it is reported")
    private boolean prune;

    @Option(names = "--check", paramLabel = "N", defaultValue = "0",
            description = "send N random queries to both sides at the end: lists with filters, usages, allocations,"
                    + " candidates (0)")
    private int check;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
            description = "seed of these queries (${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "8",
            description = "most requests at a time (${DEFAULT-VALUE})")
    private int parallel;

    @Option(names = "--show", paramLabel = "N", defaultValue = "50",
            description = "print at most this many differences of each kind (${DEFAULT-VALUE})")
    private int show;

    @Option(names = "--journal", paramLabel = "FILE",
            description = "stores what was read of the other Placement, so that the next run, also after an"
                    + " interruption, reads only what changed (~/.local/state/berth/${COMMAND-NAME}-URL)")
    private @Nullable Path journalFile;

    @Option(names = "--ignore-journal", description = "ignore the journal, and read all of the other Placement")
    private boolean ignoresJournal;

    /**
     * Checks the options with a number.
     *
     * @throws IllegalArgumentException if a number is out of its range; the message is one line for the user
     */
    void requireRanges() {
        requireRange("--check", check, 0, READS_MAX);
        requireRange("--parallel", parallel, 1, PARALLEL_MAX);
        requireRange("--show", show, 0, Integer.MAX_VALUE);
    }

    boolean hasCheck() {
        return check > 0;
    }

    /**
     * Returns a client for one of the two Placements.
     *
     * @param option the option of {@code urlOrCloud}, for messages: {@code --from} or {@code --to}
     * @param urlOrCloud a URL, or the name of a cloud in clouds.yaml; null for the cloud of the OS_* variables
     * @param token a token to send unchanged; null or empty to log in with the cloud's settings
     * @throws ApiFailure if a login to Keystone fails, or the service at a URL does not respond
     * @throws IllegalArgumentException if {@code urlOrCloud} is null and the OS_* variables have no URL of Keystone or
     *         placement, or if a setting is missing or invalid; the message is one line for the user
     */
    RestClient clientOf(String option, @Nullable String urlOrCloud, @Nullable String token)
            throws ApiFailure, InterruptedException {
        boolean isUrl = urlOrCloud != null && urlOrCloud.contains("://");
        Access access = Access.of(isUrl ? null : urlOrCloud, token == null || token.isEmpty() ? null : token, ca,
                System.getenv());
        if (urlOrCloud == null && !access.hasUrlSetting()) {
            throw new IllegalArgumentException(
                    option + " is missing: the URL of a Placement, or the name of a cloud in clouds.yaml");
        }
        return access.client(Service.PLACEMENT, isUrl ? urlOrCloud : null);
    }

    /** Returns a reader of the database with this URL; null if the URL is null or empty. */
    static @Nullable DatabaseReader databaseReader(@Nullable String url) {
        return url == null || url.isEmpty() ? null : new DatabaseReader(url);
    }

    /**
     * Runs the import or export. Returns the exit status: 0 if both sides have the same state or a dry run ended, 3 if
     * the target has all of the source's state and more, 1 in all other cases ({@link Migration.Result#DIFFERENT}).
     *
     * @param from the source's API; null if an import reads the source only from its database
     * @param database the database of the Placement that is not Berth; null to read it over its API
     * @throws IllegalArgumentException if nothing can be written for a reason that the user can change; the message is
     *         one line for the user
     */
    int run(Direction direction, @Nullable RestClient from, RestClient to, @Nullable DatabaseReader database)
            throws ApiFailure, InterruptedException, IOException {
        if (from != null && from.endpoint().equals(to.endpoint())) {
            throw new IllegalArgumentException("--from and --to are the same: " + from.endpoint());
        }
        RestClient otherPlacement = direction == Direction.IMPORT ? from : to;
        // Without a database, the other Placement is read over its API, and only such reads use the journal.
        try (Journal openedJournal = database == null
                ? openJournal(direction, Objects.requireNonNull(otherPlacement).endpoint().url())
                : Journal.inMemory()) {
            var settings =
                    new Settings(direction, from, to, database, openedJournal, dryRun, prune, check, seed, parallel,
                            show);
            return switch (new Migration(settings, spec.commandLine().getOut()).run()) {
                case SAME, PLANNED -> 0;
                case DIFFERENT -> 1;
                case MORE_IN_TARGET -> 3;
            };
        }
    }

    /**
     * Opens the {@link Journal} (the cache of earlier reads) of the Placement that is not Berth: the file of {@code
     * --journal}, else a file in the user's state folder. With {@code --ignore-journal}, deletes the file first.
     *
     * @param url the URL of that Placement
     * @throws IllegalArgumentException if the file cannot be read or written; the message is one line for the user
     */
    private Journal openJournal(Direction direction, String url) {
        Path file = journalFile == null ? defaultJournalFile(direction, url) : journalFile;
        try {
            if (ignoresJournal) {
                Files.deleteIfExists(file);
            }
            return Journal.open(file, url);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException(
                    "cannot read or write %s: name another file with --journal".formatted(file), e);
        }
    }

    /** Returns the path $XDG_STATE_HOME/berth/import-URL or export-URL; ~/.local/state replaces an unset variable. */
    private static Path defaultJournalFile(Direction direction, String url) {
        String stateHome = System.getenv("XDG_STATE_HOME");
        Path folder = stateHome == null || stateHome.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(stateHome);
        return folder.resolve("berth").resolve(
                direction.name().toLowerCase(Locale.ROOT) + "-" + url.replaceAll("[^A-Za-z0-9.]+", "-"));
    }

    private static void requireRange(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be %,d to %,d, not %,d".formatted(option, min, max, value));
        }
    }
}
