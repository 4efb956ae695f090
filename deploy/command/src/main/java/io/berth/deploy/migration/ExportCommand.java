package io.berth.deploy.migration;

import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code berth export}: a {@link Migration} from Berth to another Placement. */
@Command(
        name = "export",
        header = "move back to OpenStack's Placement",
        description = {
            "",
            "Writes the state of Berth into another running Placement (OpenStack's from Yoga on, or another Berth),"
                    + " over the API of both, and compares everything afterwards. Can be run again, also after an"
                    + " interruption: it changes only what differs. Generations and dates are not copied. While it"
                    + " runs, no client should write to either service; the last line says if Berth was written to"
                    + " meanwhile, and the next run writes the difference. Berth itself is not changed.",
            ""
        },
        footer = {
            "",
            "Exit status: 0 both services have the same state (or --dry-run ended), 1 they do not, or something failed,"
                    + " 2 invalid arguments, or both are one service, 3 the target has all of Berth's state, and more."
        })
public final class ExportCommand implements Callable<Integer> {
    @Option(names = "--from", paramLabel = "URL|CLOUD",
            description = "the Berth to read: its URL, or a cloud of clouds.yaml (default: this machine's)")
    private @Nullable String from;

    @Option(names = "--from-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_FROM_TOKEN}",
            description = "x-auth-token for --from, instead of a login; better in $$BERTH_FROM_TOKEN, which `ps` does"
                    + " not show. Unlike a login by clouds.yaml or OS_* variables, it is not renewed")
    private @Nullable String fromToken;

    @Option(names = "--to", paramLabel = "URL|CLOUD",
            description = "the Placement to write to: its URL, or a cloud of clouds.yaml; by default the cloud of the"
                    + " OS_* variables. While the catalog leads to Berth, it must be a URL")
    private @Nullable String to;

    @Option(names = "--to-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_TO_TOKEN}",
            description = "x-auth-token for --to, or in $$BERTH_TO_TOKEN")
    private @Nullable String toToken;

    @Option(names = "--to-database", paramLabel = "URL", defaultValue = "${env:BERTH_TO_DATABASE}",
            description = "read the state of OpenStack's Placement from its PostgreSQL, MariaDB or MySQL, in one"
                    + " snapshot and in seconds: mysql+pymysql://user:password@host/placement, as in placement.conf;"
                    + " better in $$BERTH_TO_DATABASE. Writes go over the API of --to")
    private @Nullable String toDatabase;

    @CommandLine.Mixin
    private MigrationOptions options;

    @Override
    public Integer call() throws ApiFailure, InterruptedException, IOException {
        options.requireRanges();
        RestClient target = options.clientOf("--to", to, toToken);
        RestClient source = options.clientOf("--from", from == null ? Service.PLACEMENT.localUrl() : from, fromToken);
        return options.run(Direction.EXPORT, source, target, MigrationOptions.databaseReader(toDatabase));
    }
}
