package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.life.Cloud;
import io.berth.deploy.load.life.VmSize;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Simulates the life of a cloud at the rate that placement allows. Each deployment queries candidates as nova does, and
 * claims a random candidate for each of its machines. A machine is released when its lifetime is over. The simulated
 * time only orders these events. Deployments arrive at a rate at which the fleet would settle at
 * {@link #MACHINES_PER_HOST}.
 */
record LifeSituation(String name, Cloud cloud) implements Situation {
    /** 48,000 machines on 1,800 hypervisors, published by SAP in 2025. */
    private static final double MACHINES_PER_HOST = 26.7;
    /** The root disk of a machine. Assumed: the sources of {@link Cloud} have no disks. */
    private static final int DISK_GB = 10;
    /** The most hosts that are tried for a machine, as in nova. */
    private static final int ATTEMPTS_MAX = 3;

    @Override
    public Act begin(Stage stage) {
        return new Living(stage);
    }

    private final class Living implements Act {
        private final Stage stage;
        private final SplittableRandom random;
        private final double deploymentsPerHour;
        private final ArrayDeque<Exchange> ready = new ArrayDeque<>();
        private final PriorityQueue<Machine> alive = new PriorityQueue<>(Comparator.comparingDouble(Machine::endHour));
        private double nextArrivalHour;
        private long deployments;
        private long gaveUp;

        private record Machine(Claim claim, double endHour) {}

        Living(Stage stage) {
            this.stage = stage;
            this.random = new SplittableRandom(stage.seed());
            this.deploymentsPerHour = MACHINES_PER_HOST * stage.fleet().size()
                    / cloud.lifetimeHoursMean() / cloud.batchMean();
        }

        @Override
        public Traffic traffic() {
            return this::next;
        }

        private Exchange next() {
            Exchange followUp = ready.poll();
            if (followUp != null) {
                return followUp;
            }
            Machine first = alive.peek();
            if (first != null && first.endHour() <= nextArrivalHour) {
                alive.remove();
                return end(first.claim());
            }
            double hour = nextArrivalHour;
            // The time between arrivals is exponentially distributed (a Poisson process).
            nextArrivalHour += -Math.log(1 - random.nextDouble()) / deploymentsPerHour;
            return deployment(hour);
        }

        private Exchange deployment(double hour) {
            // Each deployment has a generator of its own, because responses of deployments arrive in any order.
            SplittableRandom own = random.split();
            VmSize size = cloud.size(random);
            int machines = cloud.batch(random);
            deployments++;
            var amounts = Map.of("VCPU", size.vcpus(), "MEMORY_MB", size.memoryMb(), "DISK_GB", DISK_GB);
            String path = "/allocation_candidates?resources=VCPU:%d,MEMORY_MB:%d,DISK_GB:%d%s"
                    .formatted(size.vcpus(), size.memoryMb(), DISK_GB, Situations.AS_NOVA);
            return Exchange.get(name + ": candidates", path, answer -> {
                if (answer.status() != 200) {
                    return answer.wrong("GET " + path);
                }
                var offers = new Offers(answer.body().getBytes());
                for (int i = 0; i < machines; i++) {
                    claim(own, offers, amounts, hour + cloud.lifetimeHours(own), ATTEMPTS_MAX);
                }
                return offers.isEmpty() ? Outcome.REFUSED : Outcome.GOOD;
            });
        }

        private void claim(SplittableRandom own, Offers offers, Map<String, Integer> amounts, double endHour,
                int attemptsLeft) {
            if (offers.isEmpty() || attemptsLeft == 0) {
                gaveUp++;
                return;
            }
            UUID host = offers.draw(own);
            Claim claim = new Claim(Claim.newConsumer(own), host, amounts);
            ready.add(claim.put(name + ": claim", answer -> {
                if (answer.status() == 204) {
                    stage.expectedUsage().take(host, amounts);
                    alive.add(new Machine(claim, endHour));
                    return Outcome.GOOD;
                }
                if (answer.status() != 409) {
                    return answer.wrong(name);
                }
                // The host is full by now, or there was a conflict: tries another host.
                claim(own, offers, amounts, endHour, attemptsLeft - 1);
                return Outcome.REFUSED;
            }));
        }

        private Exchange end(Claim claim) {
            return claim.delete(
                    name + ": end", () -> stage.expectedUsage().giveBack(claim.provider(), claim.amounts()));
        }

        @Override
        public String remark() {
            return "%d deployments, %d machines alive, %d given up, %.0f h of the model"
                    .formatted(deployments, alive.size(), gaveUp, nextArrivalHour);
        }

        @Override
        public List<String> end() throws InterruptedException {
            Claims left = new Claims(stage.expectedUsage());
            // The claims are in the expected usage already.
            alive.forEach(machine -> left.adopt(machine.claim()));
            return left.auditAndRelease(stage, List.of());
        }
    }
}
