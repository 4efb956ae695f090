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
 * Simulates the life of a cloud, as fast as placement responds. A deployment, which is one or more equal machines of a
 * {@link Cloud}, queries candidates as nova does, and claims a random candidate for each of its machines. After a 409,
 * it tries a random candidate again, up to {@value #ATTEMPTS_MAX} times in all. A machine is released when its lifetime
 * is over. The simulated time only orders these events. Deployments arrive at the rate at which each host would have
 * {@value #MACHINES_PER_HOST} machines on average in the long run.
 */
record LifeSituation(String name, Cloud cloud) implements Situation {
    /** The mean number of machines on a host: 48,000 machines on 1,800 hypervisors, published by SAP in 2025. */
    private static final double MACHINES_PER_HOST = 26.7;
    /** The root disk of a machine. Assumed: the sources of {@link Cloud} have no disks. */
    private static final int DISK_GB = 10;
    /** The most claims that are tried for a machine, as in nova. */
    private static final int ATTEMPTS_MAX = 3;

    @Override
    public Act begin(Stage stage) {
        return new LifeAct(stage);
    }

    private final class LifeAct implements Act {
        private final Stage stage;
        private final SplittableRandom random;
        private final double deploymentsPerHour;
        private final ArrayDeque<Exchange> readyRequests = new ArrayDeque<>();
        private final PriorityQueue<Machine> runningMachines =
                new PriorityQueue<>(Comparator.comparingDouble(Machine::endHour));
        private double nextArrivalHour;
        private long deployments;
        private long unplacedMachines;

        private record Machine(Claim claim, double endHour) {}

        LifeAct(Stage stage) {
            this.stage = stage;
            this.random = new SplittableRandom(stage.seed());
            this.deploymentsPerHour = MACHINES_PER_HOST * stage.fleet().size()
                    / cloud.lifetimeHoursMean() / cloud.deploymentSizeMean();
        }

        @Override
        public Traffic traffic() {
            return this::next;
        }

        private Exchange next() {
            Exchange followUp = readyRequests.poll();
            if (followUp != null) {
                return followUp;
            }
            Machine nextEnd = runningMachines.peek();
            if (nextEnd != null && nextEnd.endHour() <= nextArrivalHour) {
                runningMachines.remove();
                return endMachine(nextEnd.claim());
            }
            double hour = nextArrivalHour;
            // The time between arrivals is exponentially distributed (a Poisson process).
            nextArrivalHour += -Math.log(1 - random.nextDouble()) / deploymentsPerHour;
            return createDeployment(hour);
        }

        private Exchange createDeployment(double hour) {
            // Each deployment has a generator of its own, because responses of deployments arrive in any order.
            SplittableRandom deploymentRandom = random.split();
            VmSize size = cloud.drawSize(random);
            int machines = cloud.drawDeploymentSize(random);
            deployments++;
            var amounts = Map.of("VCPU", size.vcpus(), "MEMORY_MB", size.memoryMb(), "DISK_GB", DISK_GB);
            String path = "/allocation_candidates?resources=VCPU:%d,MEMORY_MB:%d,DISK_GB:%d%s"
                    .formatted(size.vcpus(), size.memoryMb(), DISK_GB, Situations.AS_NOVA);
            return Exchange.get(name + ": candidates", path, response -> {
                if (response.status() != 200) {
                    return response.wrong("GET " + path);
                }
                var offers = new Offers(response.body().getBytes());
                for (int i = 0; i < machines; i++) {
                    claim(deploymentRandom, offers, amounts, hour + cloud.drawLifetimeHours(deploymentRandom),
                            ATTEMPTS_MAX);
                }
                return offers.isEmpty() ? Outcome.REFUSED : Outcome.GOOD;
            });
        }

        private void claim(SplittableRandom deploymentRandom, Offers offers, Map<String, Integer> amounts,
                double endHour, int attemptsLeft) {
            if (offers.isEmpty() || attemptsLeft == 0) {
                unplacedMachines++;
                return;
            }
            UUID host = offers.draw(deploymentRandom);
            Claim claim = new Claim(Claim.newConsumer(deploymentRandom), host, amounts);
            readyRequests.add(claim.put(name + ": claim", response -> {
                if (response.status() == 204) {
                    stage.expectedUsage().addClaimed(host, amounts);
                    runningMachines.add(new Machine(claim, endHour));
                    return Outcome.GOOD;
                }
                if (response.status() != 409) {
                    return response.wrong(name);
                }
                // The host is full by now, or there was a conflict: draws a host again.
                claim(deploymentRandom, offers, amounts, endHour, attemptsLeft - 1);
                return Outcome.REFUSED;
            }));
        }

        private Exchange endMachine(Claim claim) {
            return claim.delete(
                    name + ": end", () -> stage.expectedUsage().subtractReleased(claim.provider(), claim.amounts()));
        }

        @Override
        public String remark() {
            return "%d deployments, %d machines alive, %d without a host, %.0f h of the model"
                    .formatted(deployments, runningMachines.size(), unplacedMachines, nextArrivalHour);
        }

        @Override
        public List<String> end() throws InterruptedException {
            Claims claims = new Claims(stage.expectedUsage());
            // The claims are in the expected usage already.
            runningMachines.forEach(machine -> claims.adopt(machine.claim()));
            return claims.auditAndRelease(stage, List.of());
        }
    }
}
