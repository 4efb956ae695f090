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
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs the import: reads both sides, plans, writes, reads both again and compares everything, sends both the same
 * queries. Ends with one line.
 */
final class Import {
    private final Settings settings;
    private final Progress progress;
    private final Workers workers;
    private final RestClient source;
    private final RestClient target;
    private final StateSource readSource;
    private final StateSource readTarget;

    Import(Settings settings, PrintWriter out) {
        this.settings = settings;
        this.progress = new Progress(out);
        this.workers = new Workers(settings.parallel(), progress);
        this.source = settings.from();
        this.target = settings.to();
        this.readSource = settings.database() == null
                ? new StateReader(source, workers, settings.journal()) : settings.database();
        // What was written is read again in full; the rest only if its generation changed since this run began.
        this.readTarget = new StateReader(target, workers, Journal.inMemory());
    }

    /** The result for the caller; the ordinal is not the exit status. */
    enum Result {
        /** Both sides have the same state. */
        SAME,
        /** The states differ, or a write failed. */
        DIFFERENT,
        /** The target has the whole source and more. */
        MORE_IN_TARGET,
        /** Nothing was written, because of --dry-run. */
        PLANNED
    }

    Result run() throws ApiFailure, InterruptedException {
        if (source != null) {
            source.requireNewest();
            settings.journal().believe(source.ask("/berth/v1/replica").status() == 200);
        }
        target.requireNewest();
        if (settings.journal().size() > 0) {
            progress.say("known from before: %,d providers and consumers, read again where they changed".formatted(
                    settings.journal().size()));
        }
        PlacementState wanted = readSource.read();
        progress.say("source %s: %s".formatted(readSource, wanted));
        PlacementState actual = readTarget.read();
        progress.say("target %s: %s".formatted(readTarget, actual));
        Plan plan = Plan.of(wanted, actual, settings.prune());
        progress.say("plan: " + plan);
        List<String> obstacles = Plan.obstacles(wanted, actual, settings.prune());
        if (!obstacles.isEmpty()) {
            show(obstacles);
            throw new ApiFailure("%,d obstacles: nothing was written".formatted(obstacles.size()));
        }
        if (settings.isDryRun()) {
            return planned(wanted, actual, plan);
        }
        var writes = new PlanRun(plan, wanted, actual, target, workers);
        boolean isAlike = !Collections.disjoint(wanted.providers().keySet(), actual.providers().keySet());
        // Two names of one service have the same state, so that the import would overwrite the source.
        if (isAlike && writes.isSeenBy(readSource)) {
            throw new IllegalArgumentException(("nothing was imported: %s and %s are one service, what was written to the"
                    + " second was in the first at once; see where the proxy, the catalogue or the name of the host leads")
                    .formatted(readSource, target.endpoint()));
        }
        List<String> failures = writes.run();
        show(failures);
        return plan.size() == 0 ? check(plan, 0, wanted, actual) : checkAnew(plan, failures.size());
    }

    private Result planned(PlacementState wanted, PlacementState actual, Plan plan)
            throws ApiFailure, InterruptedException {
        List<Difference> differences = Differences.between(wanted, actual);
        show(texts(differences));
        List<String> reads = settings.readCount() == 0 ? List.of() : compareReads(wanted);
        if (differences.isEmpty() && reads.isEmpty()) {
            return end(Result.SAME, "same: " + wanted + "; a dry run does not find out whether both are one service");
        }
        return end(Result.PLANNED, "dry run, nothing was written: %,d differences, %,d things to write%s".formatted(
                differences.size(), plan.size(),
                settings.readCount() == 0 ? "" : ", %,d reads answered differently".formatted(reads.size())));
    }

    /** Reads both sides again: the writes may have had other effects, and the source may have changed. */
    private Result checkAnew(Plan plan, int failures) throws ApiFailure, InterruptedException {
        PlacementState wanted = readSource.read();
        return check(plan, failures, wanted, readTarget.read());
    }

    private Result check(Plan plan, int failures, PlacementState wanted, PlacementState actual)
            throws ApiFailure, InterruptedException {
        List<Difference> differences = Differences.between(wanted, actual);
        List<Difference> wrong = differences.stream()
                .filter(each -> each.kind() == Difference.Kind.NOT_AS_IN_SOURCE)
                .toList();
        List<Difference> more = differences.stream()
                .filter(each -> each.kind() == Difference.Kind.ONLY_IN_TARGET)
                .toList();
        show(texts(wrong));
        show(texts(more));
        String written = "%,d things written".formatted(plan.size());
        if (failures > 0 || !wrong.isEmpty()) {
            return end(Result.DIFFERENT, ("not the same: %s, %,d writes failed, %,d differences; run it again when the"
                    + " reason is gone (or the source at rest)").formatted(written, failures, wrong.size()));
        }
        if (!more.isEmpty()) {
            return end(Result.MORE_IN_TARGET, "all of the source is there: %s; %s; but %,d things only in the target"
                    .formatted(wanted, written, more.size()) + " (--prune removes them)");
        }
        if (settings.readCount() > 0 && !compareReads(wanted).isEmpty()) {
            return end(Result.DIFFERENT, "not the same: equal states, but reads answered differently; " + written);
        }
        return end(Result.SAME, "same: %s; %s".formatted(wanted, written));
    }

    private List<String> compareReads(PlacementState wanted) throws ApiFailure, InterruptedException {
        ReadComparison.Outcome outcome =
                new ReadComparison(source, target, workers).compare(wanted, settings.readCount(), settings.seed());
        show(outcome.differences());
        progress.say("reads: %d of %d answered alike, %d of them with content (seed %d)".formatted(
                outcome.answeredAlike(), outcome.asked(), outcome.withContent(), settings.seed()));
        return outcome.differences();
    }

    private Result end(Result result, String line) {
        progress.say("%s (%d s)".formatted(line, progress.seconds()));
        return result;
    }

    private void show(List<String> lines) {
        lines.stream().limit(settings.shownMax()).forEach(line -> progress.say("  " + line));
        if (lines.size() > settings.shownMax()) {
            progress.say("  and %,d more".formatted(lines.size() - settings.shownMax()));
        }
    }

    private static List<String> texts(List<Difference> differences) {
        List<String> texts = new ArrayList<>(differences.size());
        differences.forEach(each -> texts.add(each.text()));
        return texts;
    }
}
