package io.berth.deploy.migration;

import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** The command line of {@code berth import}: a {@link Migration} from another Placement to Berth. */
@Command(
        name = "import",
        header = "move over from another Placement",
        description = {
            "",
            "Writes the state of a running Placement (OpenStack's, or another Berth) into Berth, over the API of both,"
                    + " and compares everything afterwards. May be run again: what is the same already is not touched,"
                    + " what differs is updated. Generations and dates stay each service's own. While it runs, no other"
                    + " client should write to the target; a source that is written to meanwhile shows up as"
                    + " differences, which the next run settles. The way back is `berth export`.",
            ""
        },
        footer = {
            "",
            "Exit status: 0 both sides have the same (or --dry-run came to its end), 1 they do not, or something"
                    + " failed, 2 the arguments make no sense, or both lead to one service, 3 all of the source is in"
                    + " the target, which has more."
        })
public final class ImportCommand implements Callable<Integer> {
    @Option(names = "--from", paramLabel = "URL|CLOUD",
            description = "the Placement to read: its URL, or a cloud of clouds.yaml; without, what OS_* variables say")
    private String from;

    @Option(names = "--from-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_FROM_TOKEN}",
            description = "x-auth-token for it, instead of what the cloud says; better in $$BERTH_FROM_TOKEN, where no `ps`"
                    + " shows it. It is not renewed, as a login by clouds.yaml or OS_* variables is")
    private String fromToken;

    @Option(names = "--from-database", paramLabel = "URL", defaultValue = "${env:BERTH_FROM_DATABASE}",
            description = "read OpenStack's Placement straight out of its PostgreSQL, MariaDB or MySQL, in one snapshot and in"
                    + " seconds: mysql+pymysql://user:password@host/placement, as in placement.conf; better in"
                    + " $$BERTH_FROM_DATABASE."
                    + " --from is needed for --check alone then")
    private String fromDatabase;

    @Option(names = "--to", paramLabel = "URL|CLOUD",
            description = "the Berth to write to, likewise; without, this machine's")
    private String to;

    @Option(names = "--to-token", paramLabel = "TOKEN", defaultValue = "${env:BERTH_TO_TOKEN}",
            description = "x-auth-token for it, or in $$BERTH_TO_TOKEN")
    private String toToken;

    @CommandLine.Mixin
    private MigrationOptions options;

    @Override
    public Integer call() throws ApiFailure, InterruptedException, IOException {
        options.requireSense();
        DatabaseReader database = MigrationOptions.database(fromDatabase);
        if (database != null && from == null && options.hasCheck()) {
            throw new IllegalArgumentException("--check asks the API of both sides: say --from too");
        }
        RestClient source = database != null && from == null ? null : options.side("--from", from, fromToken);
        RestClient target = options.side("--to", to == null ? Service.PLACEMENT.localUrl() : to, toToken);
        return options.run(Direction.IMPORT, source, target, database);
    }
}
