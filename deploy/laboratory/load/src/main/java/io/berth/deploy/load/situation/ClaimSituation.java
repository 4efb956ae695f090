package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.ProviderCreation;
import io.berth.deploy.load.fleet.ProviderSpec;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures small claims of new consumers with {@code PUT /allocations/{consumer}}.
 *
 * @param onHotHost true if all claims are on one host, which is too large to fill up; false if they are on random hosts
 *         of a flat fleet, in which each host is one provider
 */
record ClaimSituation(String name, boolean onHotHost) implements Situation {
    private static final Map<String, Integer> AMOUNTS = Map.of("VCPU", 1, "MEMORY_MB", 16, "DISK_GB", 1);
    /**
     * Once the hosts have this many claims on average, the oldest claim is released before each new one. The number is
     * about half of a host's free vCPUs (32 x 16 - 10), so that no host fills up by chance. Claims on the hot host are
     * not limited.
     */
    private static final int CLAIMS_PER_HOST = 250;
    private static final ProviderSpec.Stock ENDLESS_STOCK = ProviderSpec.Stock.of(2_000_000_000);
    /**
     * The host of hot claims. It exists only during this situation, so that no query of another situation returns it.
     */
    private static final ProviderSpec HOT_HOST = new ProviderSpec(
            UUID.fromString("b0a7b0a7-0000-4000-8000-000000000001"), "bench-hot", null,
            Map.of("VCPU", ENDLESS_STOCK, "MEMORY_MB", ENDLESS_STOCK, "DISK_GB", ENDLESS_STOCK), List.of(), List.of());

    @Override
    public Act begin(Stage stage) throws InterruptedException {
        List<String> problems =
                onHotHost ? stage.play(stage.placement(), ProviderCreation.of(HOT_HOST)) : List.of();
        return new ClaimAct(stage, problems);
    }

    private final class ClaimAct implements Act {
        private final Stage stage;
        private final List<String> problems;
        private final Claims claims;
        private final SplittableRandom random;
        /** Has another seed in each run, because a consumer that existed before may cost less than a new one. */
        private final SplittableRandom consumers = new SplittableRandom();
        private final List<UUID> hosts;
        private boolean isFull;

        ClaimAct(Stage stage, List<String> problems) {
            this.stage = stage;
            this.problems = problems;
            this.claims = new Claims(stage.expectedUsage());
            this.random = new SplittableRandom(stage.seed());
            this.hosts = onHotHost ? List.of(HOT_HOST.uuid()) : rootsOf(stage.fleet());
        }

        @Override
        public Traffic traffic() {
            return this::next;
        }

        private Exchange next() {
            if (!problems.isEmpty()) {
                return null;
            }
            if (!onHotHost && claims.count() >= CLAIMS_PER_HOST * hosts.size()) {
                isFull = true;
                Claim oldest = claims.takeOldest();
                return oldest.delete(
                        name + ": end", () -> stage.expectedUsage()
                                .subtractReleased(oldest.provider(), oldest.amounts()));
            }
            UUID host = hosts.get(random.nextInt(hosts.size()));
            Claim claim = new Claim(Claim.newConsumer(consumers), host, AMOUNTS);
            return claim.put(name, response -> judge(claim, response));
        }

        private Outcome judge(Claim claim, Response response) {
            if (response.status() == 204) {
                claims.hold(claim);
                return Outcome.GOOD;
            }
            return Claim.isConcurrentUpdate(response) ? Outcome.REFUSED : response.wrong(name);
        }

        @Override
        public String remark() {
            return isFull
                    ? "once there were %d claims, the oldest was deleted before each new one"
                            .formatted(CLAIMS_PER_HOST * hosts.size())
                    : "";
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> allProblems = new ArrayList<>(problems);
            allProblems.addAll(claims.auditAndRelease(stage, onHotHost ? List.of(HOT_HOST) : List.of()));
            if (onHotHost) {
                String path = "/resource_providers/" + HOT_HOST.uuid();
                Response deletion = stage.call(stage.placement(), Exchange.delete(name, path, _ -> Outcome.GOOD));
                if (deletion.status() != 204) {
                    allProblems.add(deletion.wrong("DELETE " + path).reason());
                }
            }
            return allProblems;
        }
    }

    static List<UUID> rootsOf(Fleet fleet) {
        List<UUID> roots = new ArrayList<>(fleet.size());
        for (int i = 0; i < fleet.size(); i++) {
            roots.add(fleet.root(i));
        }
        return roots;
    }
}
