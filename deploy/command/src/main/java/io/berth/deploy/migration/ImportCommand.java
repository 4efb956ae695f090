package io.berth.deploy.migration;

import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code berth import}: a {@link Migration} from another Placement to Berth. */
@Command(
        name = "import",
        header = "move over from another Placement",
        description = {
            "",
            "Writes the state of a running Placement (OpenStack's, or another Berth) into Berth, over the API of both,"
                    + " and compares everything afterwards. Can be run again: it changes only what differs."
                    + " Generations and dates are not copied. While it runs, no other client should write to the"
                    + " target. Writes to the source show up as differences, which the next run copies. The way back"
                    + " is `berth export`.",
            ""
        },
        footer = {
            "",
            "Exit status: 0 both services have the same state (or --dry-run ended), 1 they do not, or something failed,"
                    + " 2 invalid arguments, or both are one service, 3 the target has all of the source's state, and"
                    + " more."
        })
public final class ImportCommand implements Callable<Integer> {
    @Option(names = "--from", paramLabel = "URL|CLOUD",
            description = "the Placement to read: its URL, or a cloud of clouds.yaml (default: the OS_* variables)")
    private @Nullable String from;

    @Option(names = "--from-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_FROM_TOKEN}",
            description = "x-auth-token for --from, instead of a login; better in $$BERTH_FROM_TOKEN, which `ps` does"
                    + " not show. Unlike a login by clouds.yaml or OS_* variables, it is not renewed")
    private @Nullable String fromToken;

    @Option(names = "--from-database", paramLabel = "URL", defaultValue = "${env:BERTH_FROM_DATABASE}",
            description = "read OpenStack's Placement from its PostgreSQL, MariaDB or MySQL, in one snapshot and in"
                    + " seconds: mysql+pymysql://user:password@host/placement, as in placement.conf; better in"
                    + " $$BERTH_FROM_DATABASE. Then only --check needs --from")
    private @Nullable String fromDatabase;

    @Option(names = "--to", paramLabel = "URL|CLOUD",
            description = "the Berth to write to: its URL, or a cloud of clouds.yaml (default: this machine's)")
    private @Nullable String to;

    @Option(names = "--to-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_TO_TOKEN}",
            description = "x-auth-token for --to, or in $$BERTH_TO_TOKEN")
    private @Nullable String toToken;

    @CommandLine.Mixin
    private MigrationOptions options;

    @Override
    public Integer call() throws ApiFailure, InterruptedException, IOException {
        options.requireRanges();
        DatabaseReader database = MigrationOptions.databaseReader(fromDatabase);
        if (database != null && from == null && options.hasCheck()) {
            throw new IllegalArgumentException("--check queries the API of both sides: give --from too");
        }
        RestClient source = database != null && from == null ? null : options.clientOf("--from", from, fromToken);
        RestClient target = options.clientOf("--to", to == null ? Service.PLACEMENT.localUrl() : to, toToken);
        return options.run(Direction.IMPORT, source, target, database);
    }
}
