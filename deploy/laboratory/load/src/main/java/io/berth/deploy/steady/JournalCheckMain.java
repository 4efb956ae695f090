package io.berth.deploy.steady;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Checks a placement service that was restored from a backup against the journal of claims that ran during the backup.
 * Arguments: URL JOURNAL BEGAN_MS ENDED_MS, the times of the backup in milliseconds since the epoch. Claims that were
 * acknowledged before the backup began must exist; claims that were sent after the backup ended must not exist. Exits
 * with 1 otherwise.
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
        System.out.printf("%d must be there, %d must not, %d are, %d offences%n", expected.thereCount(),
                expected.goneCount(), found.consumers().size(), offences.size());
        System.exit(offences.isEmpty() && expected.thereCount() > 0 ? 0 : 1);
    }
}
