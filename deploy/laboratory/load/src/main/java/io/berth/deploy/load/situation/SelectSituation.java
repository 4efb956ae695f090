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
 * Measures decisions of the scheduler with their claims: each {@code POST /v1/select_destinations} is for one small
 * instance. Also reports the phases of a decision, if the service sends the header {@code Server-Timing}.
 *
 * @param kinds the number of different requests, sent in turn; at least 1
 * @param rounds how many times each of the different requests is sent; {@link #ENDLESS} to send until the time is up.
 *         With a limited number of rounds, the situation is played once, and the memory of the services is checked
 * @param deletes true to keep {@value #INSTANCES_KEPT} instances, so that the oldest is deleted before each further
 *         one; false to keep {@value #CLAIMS_PER_HOST_MAX} instances for each host, so that the hosts do not fill up
 * @param writesRecords true for the scheduler that writes decision records, false for the scheduler that does not
 */
record SelectSituation(String name, int kinds, int rounds, boolean deletes, boolean writesRecords)
        implements Situation {
    static final int ENDLESS = Integer.MAX_VALUE;
    /**
     * The time within which all instances must be deletable at the end. The scheduler refuses a deletion while the
     * record of the request that placed the instance is open; the record is closed sooner than this after the response.
     */
    private static final long DELETE_TIMEOUT_NANOS = Duration.ofMinutes(3).toNanos();
    private static final int CLAIMS_PER_HOST_MAX = 250;
    private static final int PROJECTS = 50;
    /**
     * With {@code deletes}, the number of instances that are kept. It is so large that the record of the request that
     * placed the oldest instance is closed when this instance is deleted; the scheduler then accepts the deletion.
     */
    private static final int INSTANCES_KEPT = 1_000;
    private static final double RESIDENT_MB_MAX = 512;
    private static final Duration SINGLE_PLAY_LIMIT = Duration.ofMinutes(1);

    /**
     * Returns the request with this number. Each number has a different amount of memory, and so a different query to
     * placement.
     */
    static InstanceRequest kind(int number) {
        var flavor = new Flavor(number, Cloud.AZURE, new VmSize(1, 64 + number), 1, Map.of());
        return new InstanceRequest(flavor, "bench-project-" + number % PROJECTS, null, null, null);
    }

    @Override
    public Target target(Stage stage) {
        return writesRecords ? stage.scheduler() : stage.schedulerWithoutRecords();
    }

    @Override
    public Duration singlePlayLimit() {
        return isBounded() ? SINGLE_PLAY_LIMIT : null;
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
        return new SelectAct(stage);
    }

    private final class SelectAct implements Act {
        private final Stage stage;
        /**
         * Draws the uuids of instances. Has another seed in each run, because a request for an instance of an earlier
         * run would get the earlier response.
         */
        private final SplittableRandom random = new SplittableRandom();
        private final Set<UUID> hosts;
        private final Claims claims;
        private final Set<UUID> instances = new LinkedHashSet<>();
        private int requestCount;

        SelectAct(Stage stage) {
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
            if (claims.count() >= (deletes ? INSTANCES_KEPT : CLAIMS_PER_HOST_MAX * hosts.size())) {
                return delete(claims.takeOldest());
            }
            UUID instance = Claim.newConsumer(random);
            InstanceRequest request = kind(requestCount++ % kinds);
            return request.select(name, instance, response -> judge(request, instance, response));
        }

        private Outcome judge(InstanceRequest request, UUID instance, Response response) {
            if (response.status() != 200) {
                return response.wrong(name);
            }
            UUID host = InstanceRequest.selectedComputeNode(response);
            if (host == null || !hosts.contains(host)) {
                return new Outcome.Wrong(name + ": selected no host of the fleet but '" + host + "'");
            }
            claims.hold(new Claim(instance, host, request.flavor().amounts()));
            instances.add(instance);
            return Outcome.GOOD;
        }

        private Exchange delete(Claim claim) {
            return InstanceRequest.delete(name, claim.consumer(), response -> {
                if (response.status() == 204) {
                    instances.remove(claim.consumer());
                    stage.expectedUsage().subtractReleased(claim.provider(), claim.amounts());
                    return Outcome.GOOD;
                }
                claims.adopt(claim);
                return InstanceRequest.isDeletionRefusedForNow(response)
                        ? Outcome.REFUSED
                        : response.wrong("DELETE " + claim.consumer());
            });
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> problems = new ArrayList<>(claims.auditAndRelease(stage, List.of()));
            long beganNanos = System.nanoTime();
            while (!instances.isEmpty() && problems.isEmpty()) {
                Iterator<UUID> remaining = List.copyOf(instances).iterator();
                problems.addAll(stage.play(stage.scheduler(),
                        () -> remaining.hasNext() ? deleteFromRegistry(remaining.next()) : null));
                if (!instances.isEmpty() && System.nanoTime() - beganNanos > DELETE_TIMEOUT_NANOS) {
                    problems.add(name + ": " + instances.size() + " instances cannot be deleted");
                }
            }
            return problems;
        }

        /**
         * Returns the request that deletes an instance from the scheduler's registry. The scheduler may refuse the
         * deletion while the record of the request that placed the instance is open.
         */
        private Exchange deleteFromRegistry(UUID instance) {
            return Exchange.delete("forget", "/v1/instances/" + instance, response -> {
                if (response.status() == 204 || response.status() == 404) {
                    instances.remove(instance);
                    return Outcome.GOOD;
                }
                return InstanceRequest.isDeletionRefusedForNow(response)
                        ? Outcome.REFUSED : response.wrong(HttpMethod.DELETE + " /v1/instances/" + instance);
            });
        }
    }
}
