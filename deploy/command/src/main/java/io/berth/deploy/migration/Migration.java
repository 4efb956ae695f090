package io.berth.deploy.migration;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Progress;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import io.berth.deploy.migration.plan.Plan;
import io.berth.deploy.migration.plan.PlanRun;
import io.berth.deploy.migration.reads.ReadComparison;
import io.berth.deploy.migration.state.Difference;
import io.berth.deploy.migration.state.Differences;
import io.berth.deploy.migration.state.Journal;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.StateReader;
import io.berth.deploy.migration.state.StateSource;
import io.berth.deploy.migration.state.WritePosition;
import jakarta.annotation.Nullable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Runs one import or export: reads the state of source and target, plans the writes, sends them, reads both states
 * again (unless there was nothing to write) and compares them. With {@code --check}, if no write failed and the states
 * are equal, it also compares the responses of both services to random queries. A dry run sends no writes; it compares
 * the states, and with {@code --check} always the responses, too. Prints its progress, and the result as the last line.
 */
final class Migration {
    private final Settings settings;
    private final Progress progress;
    private final Workers workers;
    /** Null if an import reads the source only from its database. */
    private final @Nullable RestClient source;
    private final RestClient target;
    private final StateSource sourceReader;
    private final StateSource targetReader;
    /**
     * The {@link Journal} of the target: a cache of what was read of it. Providers and consumers are removed from it
     * before they are written, so that the second read of the target reads them again.
     */
    private final Journal targetJournal;
    /**
     * True if this run detects writes to the source during the run. That is possible only if the source is a Berth that
     * is read over its API, and is not done in a dry run.
     */
    private boolean detectsWrites;
    /**
     * The write position of the source when its last read began; null if writes to the source are not detected.
     */
    private @Nullable WritePosition sourcePosition;

    Migration(Settings settings, PrintWriter out) {
        this.settings = settings;
        this.progress = new Progress(out);
        this.workers = new Workers(settings.parallel(), progress);
        this.source = settings.from();
        this.target = settings.to();
        // Berth's journal is in memory only: the second read of this run uses it, but a later run reads Berth in full.
        Journal berthJournal = Journal.inMemory();
        StateSource berthReader = new StateReader(settings.berth(), workers, berthJournal);
        // Without a database, the other Placement has an API, from which its state is read.
        StateSource otherReader = settings.database() != null
                ? settings.database()
                : new StateReader(Objects.requireNonNull(settings.other()), workers, settings.journal());
        boolean isImport = settings.direction() == Direction.IMPORT;
        this.sourceReader = isImport ? otherReader : berthReader;
        this.targetReader = isImport ? berthReader : otherReader;
        this.targetJournal = isImport ? berthJournal : settings.journal();
    }

    /** The result of a run. */
    enum Result {
        /** Both sides have the same state, and compared responses to queries are equal. */
        SAME,
        /**
         * The target lacks a part of the source, a write failed, responses to queries differ, or the source was written
         * to while both were compared.
         */
        DIFFERENT,
        /** The target has all of the source's state, and more. */
        MORE_IN_TARGET,
        /** Nothing was written, because of --dry-run; the states differ, or responses to queries do. */
        PLANNED
    }

    /**
     * Runs the import or export.
     *
     * @throws ApiFailure if a service fails, or if {@link Plan#obstacles} prevent all writes
     * @throws IllegalArgumentException if source and target are one service, the database is not the target's, or an
     *         export does not read a Berth; the message is one line for the user
     */
    Result run() throws ApiFailure, InterruptedException {
        if (source != null) {
            source.requireNewestMicroversion();
        }
        target.requireNewestMicroversion();
        boolean isExport = settings.direction() == Direction.EXPORT;
        if (isExport && !isBerth(settings.berth())) {
            throw new IllegalArgumentException(
                    settings.berth().endpoint()
                            + " is not Berth: name with --from the Berth whose state is to be exported");
        }
        boolean isOtherBerth = settings.other() != null && isBerth(settings.other());
        if (settings.other() != null) {
            settings.journal().clearUnlessKind(isOtherBerth);
        }
        // Only a Berth has a write position, and a database is always that of an OpenStack Placement.
        detectsWrites = !settings.isDryRun() && (isExport || isOtherBerth && sourceReader != settings.database());
        if (settings.journal().size() > 0) {
            progress.printLine("known from before: %,d providers and consumers, read again where they changed"
                    .formatted(settings.journal().size()));
        }
        PlacementState sourceState = readSourceAtPosition();
        progress.printLine("source %s: %s".formatted(sourceReader, sourceState));
        PlacementState targetState = targetReader.read();
        progress.printLine("target %s: %s".formatted(targetReader, targetState));
        Plan plan = Plan.of(sourceState, targetState, settings.prune());
        progress.printLine("plan: " + plan);
        List<String> obstacles = Plan.obstacles(sourceState, targetState, settings.prune());
        if (!obstacles.isEmpty()) {
            printLimited(obstacles);
            throw new ApiFailure(("%,d obstacles: nothing was written; upgrade a target that lacks standard names, and"
                    + " use --prune if the names are those of providers that are no longer needed").formatted(
                            obstacles.size()));
        }
        if (settings.isDryRun()) {
            return endDryRun(sourceState, targetState, plan);
        }
        var writes = new PlanRun(plan, sourceState, targetState, target, workers);
        boolean haveCommonProvider =
                !Collections.disjoint(sourceState.providers().keySet(), targetState.providers().keySet());
        requireTwoServices(writes, haveCommonProvider);
        targetJournal.forget(plan.allProviders(), plan.allConsumers());
        List<String> failures = writes.run();
        printLimited(failures);
        return plan.size() == 0 ? compare(plan, 0, sourceState, targetState) : readAndCompare(plan, failures.size());
    }

    private static boolean isBerth(RestClient api) throws ApiFailure, InterruptedException {
        return api.getAnyStatus("/berth/v1/replica").status() == 200;
    }

    /** Reads the source's write position, then its state, so that a write during the read is detected at the end. */
    private PlacementState readSourceAtPosition() throws ApiFailure, InterruptedException {
        sourcePosition = detectsWrites && source != null ? WritePosition.of(source) : null;
        return sourceReader.read();
    }

    /**
     * Refuses a run whose source and target are the same service under two URLs, because the run would overwrite the
     * source. Refuses a target's database that belongs to another service, because the plan would be made from a wrong
     * state. To find out, writes a trait to the target, looks for it in the source or the database, and removes it.
     *
     * @param haveCommonProvider whether source and target have a provider in common; if not, they are different
     *         services, or both are empty
     * @throws IllegalArgumentException with one line for the user
     */
    private void requireTwoServices(PlanRun writes, boolean haveCommonProvider)
            throws ApiFailure, InterruptedException {
        String participle = settings.direction().participle();
        if (haveCommonProvider && writes.isVisibleIn(sourceReader)) {
            throw new IllegalArgumentException(("nothing was %s: %s and %s are one service, what was written to the"
                    + " second was in the first at once; see where the proxy, the catalog or the name of the host"
                    + " leads").formatted(participle, sourceReader, target.endpoint()));
        }
        if (targetReader == settings.database() && !writes.isVisibleIn(targetReader)) {
            throw new IllegalArgumentException(("nothing was %s: %s is not the database of %s, what was written to the"
                    + " second was not in the first").formatted(participle, targetReader, target.endpoint()));
        }
    }

    private Result endDryRun(PlacementState sourceState, PlacementState targetState, Plan plan)
            throws ApiFailure, InterruptedException {
        List<Difference> differences = Differences.between(sourceState, targetState);
        printLimited(texts(differences));
        List<String> responseDifferences = settings.queryCount() == 0 ? List.of() : compareResponses(sourceState);
        if (differences.isEmpty() && responseDifferences.isEmpty()) {
            return end(Result.SAME,
                    "same: " + sourceState + "; a dry run does not find out whether both are one service");
        }
        return end(Result.PLANNED, "dry run, nothing was written: %,d differences, %,d things to write%s".formatted(
                differences.size(), plan.size(),
                settings.queryCount() == 0
                        ? ""
                        : ", %,d queries answered differently".formatted(responseDifferences.size())));
    }

    /** Reads both states again after the writes, and compares them. */
    private Result readAndCompare(Plan plan, int failures) throws ApiFailure, InterruptedException {
        PlacementState sourceState = readSourceAtPosition();
        return compare(plan, failures, sourceState, targetReader.read());
    }

    private Result compare(Plan plan, int failures, PlacementState sourceState, PlacementState targetState)
            throws ApiFailure, InterruptedException {
        List<Difference> differences = Differences.between(sourceState, targetState);
        List<Difference> notCopied = differences.stream()
                .filter(each -> each.kind() == Difference.Kind.NOT_AS_IN_SOURCE)
                .toList();
        List<Difference> onlyInTarget = differences.stream()
                .filter(each -> each.kind() == Difference.Kind.ONLY_IN_TARGET)
                .toList();
        printLimited(texts(notCopied));
        printLimited(texts(onlyInTarget));
        String written = "%,d things written".formatted(plan.size());
        if (failures > 0 || !notCopied.isEmpty()) {
            return end(Result.DIFFERENT, ("not the same: %s, %,d writes failed, %,d differences; run it again when the"
                    + " cause is fixed, or when nothing writes to the source any more").formatted(
                            written, failures, notCopied.size()));
        }
        boolean responsesDiffer =
                onlyInTarget.isEmpty() && settings.queryCount() > 0 && !compareResponses(sourceState).isEmpty();
        if (sourcePosition != null && source != null && !sourcePosition.isUnchanged(source)) {
            return end(Result.DIFFERENT, ("not the same: %s was written to while both were compared, %s; run it again"
                    + " when its clients are stopped").formatted(source.endpoint(), written));
        }
        if (!onlyInTarget.isEmpty()) {
            return end(Result.MORE_IN_TARGET, "all of the source is there: %s; %s; but %,d things only in the target"
                    .formatted(sourceState, written, onlyInTarget.size()) + " (--prune removes them)");
        }
        if (responsesDiffer) {
            return end(Result.DIFFERENT, "not the same: equal states, but queries answered differently; " + written);
        }
        return end(Result.SAME, "same: %s; %s".formatted(sourceState, written));
    }

    private List<String> compareResponses(PlacementState sourceState) throws ApiFailure, InterruptedException {
        RestClient sourceApi = Objects.requireNonNull(source, "--check queries the API of both sides");
        ReadComparison.Outcome outcome =
                new ReadComparison(sourceApi, target, workers)
                        .compare(sourceState, settings.queryCount(), settings.seed());
        printLimited(outcome.differences());
        progress.printLine("queries: %d of %d answered alike, %d of them with content (seed %d)".formatted(
                outcome.equal(), outcome.sent(), outcome.withContent(), settings.seed()));
        return outcome.differences();
    }

    private Result end(Result result, String line) {
        progress.printLine("%s (%d s)".formatted(line, progress.elapsedSeconds()));
        return result;
    }

    private void printLimited(List<String> lines) {
        lines.stream().limit(settings.shownMax()).forEach(line -> progress.printLine("  " + line));
        if (lines.size() > settings.shownMax()) {
            progress.printLine("  and %,d more".formatted(lines.size() - settings.shownMax()));
        }
    }

    private static List<String> texts(List<Difference> differences) {
        List<String> texts = new ArrayList<>(differences.size());
        differences.forEach(each -> texts.add(each.text()));
        return texts;
    }
}
