package io.berth.deploy.migration.sample;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.Progress;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import io.berth.deploy.migration.plan.Plan;
import io.berth.deploy.migration.plan.PlanRun;
import io.berth.deploy.migration.state.Journal;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.StateReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Loads a {@link SampleCloud} into a Placement service, with the token {@code admin} of the identity strategy {@code
 * noauth2}. Arguments: URL PROVIDERS CONSUMERS SEED. Exits with 1 if an argument is invalid, the service already has a
 * provider or the loading fails, and with 2 if the number of arguments is wrong.
 */
public final class SampleMain {
    private static final int PARALLEL = 6;

    private SampleMain() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 4) {
            System.err.println("usage: SampleMain URL PROVIDERS CONSUMERS SEED");
            System.exit(2);
        }
        try {
            load(new RestClient(Endpoint.parse(args[0]), Credential.token("admin"), null),
                    SampleCloud.of(Integer.parseInt(args[1]), Integer.parseInt(args[2]),
                            new Random(Long.parseLong(args[3]))),
                    new Progress(new PrintWriter(System.out, true, StandardCharsets.UTF_8)));
        } catch (ApiFailure | IllegalArgumentException e) {
            System.err.println("sample: " + e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Writes the state into an empty service.
     *
     * @throws ApiFailure if the service has a provider, or a write failed
     */
    public static void load(RestClient api, PlacementState cloud, Progress progress)
            throws ApiFailure, InterruptedException {
        var workers = new Workers(PARALLEL, progress);
        PlacementState existing = new StateReader(api, workers, Journal.inMemory()).read();
        if (!existing.providers().isEmpty()) {
            throw new ApiFailure(api.endpoint() + " is not empty: " + existing);
        }
        boolean prune = false; // The target is empty, so that there is nothing to remove.
        List<String> failures = new PlanRun(Plan.of(cloud, existing, prune), cloud, existing, api, workers).run();
        if (!failures.isEmpty()) {
            throw new ApiFailure(failures.getFirst());
        }
        progress.printLine("loaded into %s: %s (%d s)".formatted(api.endpoint(), cloud, progress.elapsedSeconds()));
    }
}
