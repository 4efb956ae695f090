package io.berth.deploy.analysis;

import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base of the commands that send one request to the scheduler: the options for the connection, and {@code --json}. */
abstract class SchedulerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--json", description = "print the response as JSON")
    private boolean json;

    final RestClient scheduler() throws ApiFailure, InterruptedException {
        return cloud.client(Service.SCHEDULER);
    }

    final boolean isJson() {
        return json;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
