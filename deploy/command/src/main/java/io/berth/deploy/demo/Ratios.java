package io.berth.deploy.demo;

import io.berth.deploy.http.ApiFailure;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Prints and runs the command of the OpenStack client that sets an allocation ratio. If the client is not installed or
 * fails, sets the ratio over HTTP.
 */
record Ratios(String placementUrl, DemoFleet fleet, Screen screen) {
    private static final long CLIENT_MINUTES_MAX = 5;

    /**
     * Sets the allocation ratio of one resource class on all hosts without GPUs. The command of the OpenStack client
     * names the aggregate of these hosts.
     */
    void raiseGeneral(String resourceClass, double ratio)
            throws ApiFailure, InterruptedException {
        List<UUID> providers = DemoHost.ALL.stream().filter(host -> !host.hasGpus()).map(DemoHost::uuid).toList();
        raise(List.of("--aggregate"), DemoFleet.GENERAL_AGGREGATE, providers, resourceClass, ratio);
    }

    /** Sets the allocation ratio of one resource class on one provider. */
    void raise(UUID provider, String resourceClass, double ratio)
            throws ApiFailure, InterruptedException {
        raise(List.of(), provider, List.of(provider), resourceClass, ratio);
    }

    private void raise(List<String> options, UUID target, List<UUID> providers, String resourceClass, double ratio)
            throws ApiFailure, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openstack", "resource", "provider", "inventory", "set"));
        command.addAll(options);
        command.add("--amend");
        List<String> arguments = List.of("--resource", resourceClass + ":allocation_ratio=" + ratio, target.toString());
        screen.command(String.join(" ", command) + " \\");
        screen.line("      " + screen.strong(String.join(" ", arguments)));
        command.addAll(arguments);
        String failure = runClient(command);
        if (failure == null) {
            screen.line("  " + screen.faint("(done by the openstack client of this machine)"));
            return;
        }
        screen.line("  " + screen.faint("(" + failure + ": the same was done over HTTP)"));
        for (UUID provider : providers) {
            fleet.setRatio(provider, resourceClass, ratio);
        }
    }

    /**
     * Runs a command of the OpenStack client, for at most {@value #CLIENT_MINUTES_MAX} minutes. Returns why the command
     * failed; null if it succeeded.
     */
    private @Nullable String runClient(List<String> command) throws InterruptedException {
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // The variables of the user may lead to another cloud.
        builder.environment().keySet().removeIf(name -> name.startsWith("OS_"));
        builder.environment().putAll(Map.of(
                "OS_AUTH_TYPE", "admin_token",
                "OS_TOKEN", "admin",
                "OS_ENDPOINT", placementUrl,
                "OS_PLACEMENT_API_VERSION", "1.39"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return "there is no openstack client here";
        }
        if (!process.waitFor(CLIENT_MINUTES_MAX, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return "the openstack client did not end within " + CLIENT_MINUTES_MAX + " minutes";
        }
        return process.exitValue() == 0 ? null : "the openstack client of this machine failed";
    }
}
