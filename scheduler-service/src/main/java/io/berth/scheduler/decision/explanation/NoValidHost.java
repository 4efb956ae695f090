package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.text.NoneWillDo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        Map<String, Long> removed = new LinkedHashMap<>();
        // What a round removes is gone for those behind it.
        decision.rounds().forEach(each -> count(each.round(), removed));
        List<NoneWillDo.Removed> stages = new ArrayList<>();
        removed.forEach((by, hosts) -> stages.add(new NoneWillDo.Removed(by, hosts)));
        String left = round.ranked().isEmpty() ? "" : round.ranked().size() + " passed and none could be claimed";
        String sentence = NoneWillDo.sentence(
                decision.rounds().getFirst().round().preselection().hostCountIn(), stages, left);
        return round.index() == 0 ? sentence : "Instance " + (round.index() + 1) + ": " + sentence;
    }

    private static void count(Round round, Map<String, Long> removed) {
        round.preselection().dropped().forEach(dropped -> removed.merge(dropped.what(), 1L, Long::sum));
        for (FilterStep step : round.filters()) {
            removed.merge(step.name(), (long) step.hostCountIn() - step.hostCountOut(), Long::sum);
        }
    }
}
