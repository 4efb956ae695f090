package io.berth.deploy.steady;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Checks a placement service that was restored from a backup against the journal of {@link SteadyClaimsMain}, which ran
 * during the backup. Arguments: URL JOURNAL BEGAN_MS ENDED_MS, the times of the backup in milliseconds since the epoch;
 * the file {@code JOURNAL.hosts} lists the hosts. A claim that was acknowledged before the backup began must exist,
 * unless its release was sent before the backup ended. A claim must not exist if it was sent after the backup ended, or
 * if its release was acknowledged before the backup began. Exits with 1 if a claim is missing, must not exist or is
 * doubled, if a host's usage is wrong, or if no claim must exist, which would prove nothing.
 */
public final class JournalCheckMain {
    private static final int SHOWN_MAX = 10;

    private JournalCheckMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 4) {
            System.err.println("usage: JournalCheckMain URL JOURNAL BEGAN_MS ENDED_MS");
            System.exit(2);
        }
        var replicas = new Replicas(List.of(args[0]));
        List<Entry> journal = Files.readAllLines(Path.of(args[1])).stream().map(Entry::parse).toList();
        List<UUID> hosts = Files.readAllLines(Path.of(args[1] + ".hosts")).stream().map(UUID::fromString).toList();
        Expectation expected = Expectation.at(journal, Long.parseLong(args[2]), Long.parseLong(args[3]));
        FoundClaims found = FoundClaims.read(replicas, hosts);
        List<String> offences = new ArrayList<>(found.violations());
        offences.addAll(expected.offences(found.consumers()));
        offences.stream().limit(SHOWN_MAX).forEach(System.out::println);
        System.out.printf("%d must be there, %d must not, %d are, %d offences%n", expected.requiredCount(),
                expected.forbiddenCount(), found.consumers().size(), offences.size());
        System.exit(offences.isEmpty() && expected.requiredCount() > 0 ? 0 : 1);
    }
}
