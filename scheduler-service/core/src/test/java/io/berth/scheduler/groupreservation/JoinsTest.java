package io.berth.scheduler.groupreservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the order in which instances join their server groups while locks of groups are refused. */
class JoinsTest {
    private final Joins joins = new Joins(Duration.ofDays(1));
    /** Groups by letter; their instances are numbered. */
    private final Map<Character, UUID> groups = new HashMap<>();
    private final Map<String, CompletableFuture<Boolean>> begun = new HashMap<>();

    private void join(String... instances) {
        for (String instance : instances) {
            UUID group = groups.computeIfAbsent(instance.charAt(0), made -> UUID.randomUUID());
            joins.add(group, Uni.createFrom().completionStage(
                    () -> begun.computeIfAbsent(instance, made -> new CompletableFuture<>())))
                    .subscribe().with(ignored -> {}, ignored -> {});
        }
    }

    private void joined(String instance) {
        begun.remove(instance).complete(true);
    }

    private void notGranted(String... instances) {
        for (String instance : instances) {
            begun.remove(instance).completeExceptionally(
                    new PgException("canceling statement due to lock timeout", "ERROR", "55P03", null));
        }
    }

    private void underWay(String... instances) {
        assertThat(begun).containsOnlyKeys(instances);
    }

    @Test
    void lockedGroupsWaitForEachOtherWithoutDelayingOthers() {
        join("a1", "b1", "c1", "d1");
        underWay("a1", "b1");
        notGranted("a1", "b1");
        underWay("c1", "d1");
        notGranted("c1");
        join("a2", "b2", "c2", "e1", "f1");
        underWay("d1", "e1", "a2");
        joined("d1");
        underWay("e1", "f1", "a2");
        notGranted("a2");
        underWay("e1", "f1", "b2");
    }

    @Test
    void groupIsNoLongerDelayedOnceItsLockIsGranted() {
        join("a1", "b1");
        notGranted("a1", "b1");
        join("a2", "b2");
        joined("a2");
        underWay("b2");
        join("a3", "a4", "c1");
        underWay("b2", "a3", "c1");
    }
}
