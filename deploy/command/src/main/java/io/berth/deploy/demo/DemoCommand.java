package io.berth.deploy.demo;

import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** Runs {@code berth demo}, the {@link Tour} that {@code deploy/up --demo} starts. */
@Command(
        name = "demo",
        header = "a tour of a minute on a fleet of 48 hosts",
        description = {
            "",
            "Loads a fleet of 48 hosts and schedules on it, with explanations. Can be repeated: it first restores its"
                    + " hosts. Use it only on a Berth for trials.",
            ""
        })
public final class DemoCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--colour", description = "print in color")
    private boolean isColored;

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        var screen = new Screen(spec.commandLine().getOut(), isColored);
        new Tour(cloud.client(Service.PLACEMENT), cloud.client(Service.SCHEDULER), screen).run();
        return CommandLine.ExitCode.OK;
    }
}
