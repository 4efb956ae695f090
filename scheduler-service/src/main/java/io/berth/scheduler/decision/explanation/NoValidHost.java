package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Round;
import java.util.ArrayList;
import java.util.List;

/** Says in one sentence why a decision found no host: which stage removed how many, and how near the nearest was. */
public final class NoValidHost {
    private NoValidHost() {}

    /** For a decision without a valid host. */
    public static String describe(Decision decision) {
        String text = "There are not enough hosts available";
        if (decision.rounds().isEmpty()) {
            return text;
        }
        Round round = decision.rounds().getLast().round();
        if (round.index() > 0) {
            text += " for instance " + (round.index() + 1);
        }
        text += ": " + String.join(", ", stages(round));
        NearestMiss nearest = NearestMiss.of(decision);
        return nearest == null
                ? text
                : text + "; nearest miss " + nearest.host().host() + ": " + nearest.reason().render();
    }

    private static List<String> stages(Round round) {
        int hostsIn = round.preselection().hostsIn().size();
        if (hostsIn == 0) {
            return List.of("none was there to choose from");
        }
        var stages = new ArrayList<String>();
        int hostsOut = round.preselection().hostsOut().size();
        if (hostsOut < hostsIn) {
            stages.add(removed("the request itself", hostsIn, hostsOut));
        }
        for (FilterStep step : round.filters()) {
            if (step.hostCountOut() < step.hostCountIn()) {
                stages.add(removed(step.name(), step.hostCountIn(), step.hostCountOut()));
            }
        }
        if (!round.ranked().isEmpty()) {
            stages.add("%d passed and none could be claimed".formatted(round.ranked().size()));
        }
        return stages;
    }

    private static String removed(String stage, int in, int out) {
        return "%s removed %d of %d".formatted(stage, in - out, in);
    }
}
