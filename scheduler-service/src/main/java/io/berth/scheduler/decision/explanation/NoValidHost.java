package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.text.NoneWillDo;
import java.util.ArrayList;
import java.util.List;

/** Says in one sentence why a decision found no host: which stage removed how many, and how near the nearest was. */
public final class NoValidHost {
    private NoValidHost() {}

    /** For a decision without a valid host. */
    public static String describe(Decision decision) {
        NearestMiss nearest = NearestMiss.of(decision);
        return nearest == null
                ? forTenant(decision)
                : forTenant(decision) + "; nearest is " + nearest.host().host() + ": " + nearest.reason().render();
    }

    /** The same without a host's name: what may be shown to whoever wants the instance. */
    public static String forTenant(Decision decision) {
        if (decision.rounds().isEmpty()) {
            return "No host will do";
        }
        Round round = decision.rounds().getLast().round();
        int hosts = round.preselection().hostCountIn();
        List<NoneWillDo.Removed> stages = new ArrayList<>();
        stages.add(new NoneWillDo.Removed("the request itself", hosts - round.preselection().hostCountOut()));
        for (FilterStep step : round.filters()) {
            stages.add(new NoneWillDo.Removed(step.name(), step.hostCountIn() - step.hostCountOut()));
        }
        String left = round.ranked().isEmpty() ? "" : round.ranked().size() + " passed and none could be claimed";
        String sentence = NoneWillDo.sentence(hosts, stages, left);
        return round.index() == 0 ? sentence : "Instance " + (round.index() + 1) + ": " + sentence;
    }
}
