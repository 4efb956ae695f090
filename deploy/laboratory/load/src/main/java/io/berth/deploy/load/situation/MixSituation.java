package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures decisions of the scheduler for the requests of {@link RequestMix}, on a {@link Region} that stays three
 * quarters full: for each machine that is placed, the machine whose lifetime ends first is deleted with {@code DELETE
 * /v1/instances/{uuid}}. A decision that finds no valid host counts as refused; so does a deletion while the scheduler
 * still works on the instance, which is repeated later.
 *
 * @param usesReplicas whether to use the scheduler that reaches several replicas of placement through a proxy
 */
record MixSituation(String name, boolean usesReplicas) implements Situation {
    @Override
    public Target target(Stage stage) {
        return usesReplicas ? stage.schedulerOfReplicas() : stage.scheduler();
    }

    @Override
    public Act begin(Stage stage) throws InterruptedException {
        return new MixAct(stage, stage.region().registerHosts(stage));
    }

    private final class MixAct implements Act {
        private final Stage stage;
        private final Region region;
        private final List<String> problems;
        private final SplittableRandom random;
        /**
         * Draws the uuids of instances. Has another seed in each run, because a request for an instance of an earlier
         * run would get the earlier response.
         */
        private final SplittableRandom instances = new SplittableRandom();

        MixAct(Stage stage, List<String> problems) {
            this.stage = stage;
            this.region = stage.region();
            this.problems = problems;
            this.random = new SplittableRandom(stage.seed());
        }

        @Override
        public Traffic traffic() {
            return problems.isEmpty() ? this::next : () -> null;
        }

        private Exchange next() {
            return region.machines().size() > region.machinesWanted()
                    ? deleteMachine(region.removeNextToEnd())
                    : createDecision();
        }

        private Exchange createDecision() {
            InstanceRequest request = region.mix().draw(random);
            UUID instance = Claim.newConsumer(instances);
            // Drawn before the response arrives, so that later draws do not depend on the order of responses.
            double lifetimeHours = request.flavor().cloud().drawLifetimeHours(random);
            return request.select(name, instance, response -> judge(request, instance, lifetimeHours, response));
        }

        private Outcome judge(InstanceRequest request, UUID instance, double lifetimeHours, Response response) {
            if (InstanceRequest.foundNoValidHost(response)) {
                return Outcome.REFUSED;
            }
            if (response.status() != 200) {
                return response.wrong(name);
            }
            UUID host = InstanceRequest.selectedComputeNode(response);
            Integer number = host == null ? null : region.findHostNumber(host);
            if (number == null || !request.mayBePlacedOn(number, region.filtersNuma())) {
                return new Outcome.Wrong(name + ": selected '" + host + "' for " + request.body(instance));
            }
            region.machines()
                    .add(new PlacedInstance(instance, host, request.flavor().amounts(), region.hour() + lifetimeHours));
            stage.expectedUsage().addClaimed(host, request.flavor().amounts());
            return Outcome.GOOD;
        }

        private Exchange deleteMachine(PlacedInstance machine) {
            return InstanceRequest.delete(name, machine.instance(), response -> {
                if (InstanceRequest.isDeletionRefusedForNow(response)) {
                    region.machines().add(machine);
                    return Outcome.REFUSED;
                }
                if (response.status() != 204) {
                    return response.wrong("DELETE " + machine.instance());
                }
                stage.expectedUsage().subtractReleased(machine.host(), machine.amounts());
                return Outcome.GOOD;
            });
        }

        @Override
        public String remark() {
            return "%d machines come and go, %.1f h of the model%s".formatted(
                    region.machines().size(), region.hour(),
                    region.filtersNuma() ? "" : ", NUMATopologyFilter is not enabled");
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> allProblems = new ArrayList<>(problems);
            allProblems.addAll(region.takeHeartbeatProblems());
            allProblems.addAll(stage.audit(List.of()));
            return allProblems;
        }
    }
}
