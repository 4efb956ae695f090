package io.berth.deploy.list;

import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.text.Listing;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** Runs {@code berth KIND list}. */
@Command
final class ListCommand implements Callable<Integer> {
    private final Kind kind;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Mixin
    private Listing listing;

    @Option(names = "--filter", paramLabel = "NAME=VALUE", description = "only records with this value; repeatable")
    private Map<String, String> filters = Map.of();

    @Option(names = "--limit", paramLabel = "COUNT", description = "print at most this many (default: 100)")
    private int limit = 100;

    ListCommand(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Integer call() throws ApiFailure, InterruptedException {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, not " + limit);
        }
        Kind.Page page = kind.list(cloud.client(Service.SCHEDULER), filters, limit);
        listing.print(page.records(), kind.columns(), spec.commandLine().getOut());
        if (page.hasMore()) {
            spec.commandLine().getErr()
                    .println("There are more than %,d. To list more, raise --limit.".formatted(limit));
        }
        return CommandLine.ExitCode.OK;
    }
}
