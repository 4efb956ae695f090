package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.life.Cloud;
import io.berth.deploy.load.life.Flavor;
import io.berth.deploy.load.life.VmSize;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures decisions of the scheduler with their claims: {@code POST /v1/select_destinations} for one small instance
 * each. Also reports the phases of a decision, if the service sends the header {@code Server-Timing}.
 *
 * @param kinds the number of different requests, sent in turn; at least 1
 * @param rounds how often each of them is sent; {@link #ENDLESS} to send until the time is up
 * @param deletes whether the oldest instance is deleted for each one that is placed, once there are {@value #KEPT}
 * @param recorded whether to use the scheduler that writes decision records; otherwise the one that does not
 */
record SelectSituation(String name, int kinds, int rounds, boolean deletes, boolean recorded) implements Situation {
    static final int ENDLESS = Integer.MAX_VALUE;
    /**
     * The time within which all instances must be deletable; a request's record stays open for less after its response.
     */
    private static final long FORGET_NANOS_MAX = Duration.ofMinutes(3).toNanos();
    private static final int HELD_PER_HOST_MAX = 250;
    private static final int PROJECTS = 50;
    /** The number of instances kept before the oldest is deleted, so that its record is closed by then. */
    private static final int KEPT = 1_000;
    private static final double RESIDENT_MB_MAX = 512;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /**
     * Returns the request of that number. Each has other memory, so that each is a different query to placement.
     */
    static InstanceRequest kind(int number) {
        var flavor = new Flavor(number, Cloud.AZURE, new VmSize(1, 64 + number), 1, Map.of());
        return new InstanceRequest(flavor, "bench-project-" + number % PROJECTS, null, null, null);
    }

    @Override
    public Target target(Stage stage) {
        return recorded ? stage.scheduler() : stage.schedulerWithoutRecords();
    }

    @Override
    public Duration singlePlayLimit() {
        return isBounded() ? LONGEST : null;
    }

    @Override
    public double residentMbMax() {
        return isBounded() ? RESIDENT_MB_MAX : Double.POSITIVE_INFINITY;
    }

    private boolean isBounded() {
        return rounds != ENDLESS;
    }

    @Override
    public Act begin(Stage stage) {
        return new Selecting(stage);
    }

    private final class Selecting implements Act {
        private final Stage stage;
        /** Has another seed in each run: a request for an instance of an earlier run would get its earlier response. */
        private final SplittableRandom random = new SplittableRandom();
        private final Set<UUID> hosts;
        private final Claims claims;
        private final Set<UUID> instances = new LinkedHashSet<>();
        private int requestCount;

        Selecting(Stage stage) {
            this.stage = stage;
            this.hosts = new HashSet<>(ClaimSituation.rootsOf(stage.fleet()));
            this.claims = new Claims(stage.expectedUsage());
        }

        @Override
        public Traffic traffic() {
            return this::next;
        }

        private Exchange next() {
            if (requestCount / kinds >= rounds) {
                return null;
            }
            if (claims.count() >= (deletes ? KEPT : HELD_PER_HOST_MAX * hosts.size())) {
                return delete(claims.takeOldest());
            }
            UUID instance = Claim.newConsumer(random);
            InstanceRequest request = kind(requestCount++ % kinds);
            return request.select(name, instance, answer -> judge(request, instance, answer));
        }

        private Outcome judge(InstanceRequest request, UUID instance, Response answer) {
            if (answer.status() != 200) {
                return answer.wrong(name);
            }
            UUID host = InstanceRequest.selectedHost(answer);
            if (host == null || !hosts.contains(host)) {
                return new Outcome.Wrong(name + ": selected no host of the fleet but '" + host + "'");
            }
            claims.hold(new Claim(instance, host, request.flavor().amounts()));
            instances.add(instance);
            return Outcome.GOOD;
        }

        private Exchange delete(Claim claim) {
            return InstanceRequest.delete(name, claim.consumer(), answer -> {
                if (answer.status() == 204) {
                    instances.remove(claim.consumer());
                    stage.expectedUsage().giveBack(claim.provider(), claim.amounts());
                    return Outcome.GOOD;
                }
                claims.adopt(claim);
                return InstanceRequest.isUnderWay(answer)
                        ? Outcome.REFUSED
                        : answer.wrong("DELETE " + claim.consumer());
            });
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> problems = new ArrayList<>(claims.auditAndRelease(stage, List.of()));
            long began = System.nanoTime();
            while (!instances.isEmpty() && problems.isEmpty()) {
                Iterator<UUID> left = List.copyOf(instances).iterator();
                problems.addAll(stage.play(stage.scheduler(), () -> left.hasNext() ? forget(left.next()) : null));
                if (!instances.isEmpty() && System.nanoTime() - began > FORGET_NANOS_MAX) {
                    problems.add(name + ": " + instances.size() + " instances cannot be deleted");
                }
            }
            return problems;
        }

        /**
         * Returns the request that deletes an instance from the scheduler's registry. The scheduler may refuse it while
         * the record of the request that placed the instance is open.
         */
        private Exchange forget(UUID instance) {
            return Exchange.delete("forget", "/v1/instances/" + instance, answer -> {
                if (answer.status() == 204 || answer.status() == 404) {
                    instances.remove(instance);
                    return Outcome.GOOD;
                }
                return InstanceRequest.isUnderWay(answer)
                        ? Outcome.REFUSED : answer.wrong(HttpMethod.DELETE + " /v1/instances/" + instance);
            });
        }
    }
}
