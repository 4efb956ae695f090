package io.berth.scheduler.api;

import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The explanations of the last decisions of this replica, bounded in number and in characters. */
@Singleton
class RecentDecisions {
    private static final int COUNT_MAX = 1_000;
    private static final long CHARACTERS_MAX = 32L * 1024 * 1024;

    private final Map<String, String> explanations = new LinkedHashMap<>();
    private long characters;

    synchronized void keep(String decisionId, String explanation) {
        explanations.put(decisionId, explanation);
        characters += explanation.length();
        Iterator<String> oldest = explanations.values().iterator();
        while (explanations.size() > COUNT_MAX || (characters > CHARACTERS_MAX && explanations.size() > 1)) {
            characters -= oldest.next().length();
            oldest.remove();
        }
    }

    /** Null when it is too old, or was made by another replica. */
    synchronized @Nullable String find(String decisionId) {
        return explanations.get(decisionId);
    }
}
