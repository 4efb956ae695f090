package io.berth.deploy.list;

import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.text.Listing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine;

/** Runs {@code berth KIND show}. */
@Command
final class ShowCommand implements Callable<Integer> {
    private final Kind kind;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Mixin
    private Listing listing;

    @Parameters(paramLabel = "NAME|UUID",
            description = "the record; for a decision also an instance, whose newest one is shown")
    private String nameOrUuid;

    ShowCommand(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        listing.print(kind.read(cloud.client(Service.SCHEDULER), nameOrUuid), spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }
}
