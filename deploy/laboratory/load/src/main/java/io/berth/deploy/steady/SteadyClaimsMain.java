package io.berth.deploy.steady;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@link SteadyClaims} on placement until the file ENOUGH exists, for 15 minutes at most. Then compares
 * placement's allocations with the journal. Arguments: URL[,URL...] CLIENTS ENOUGH JOURNAL. With several URLs, a
 * request whose connection is refused, or that gets a 503, is sent to the next URL. Writes the uuids of the hosts to
 * {@code JOURNAL.hosts} at the start, and the journal at the end. Exits with 1 if a claim is lost or doubled, if a
 * released claim still exists, if a host's usage is wrong, if a response is wrong, or if no claim must exist at the
 * end, which would prove nothing.
 */
public final class SteadyClaimsMain {
    private static final long RUN_MAX_NANOS = TimeUnit.MINUTES.toNanos(15);
    private static final int SHOWN_MAX = 10;

    private SteadyClaimsMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 4) {
            System.err.println("usage: SteadyClaimsMain URL[,URL...] CLIENTS ENOUGH JOURNAL");
            System.exit(2);
        }
        var replicas = new Replicas(List.of(args[0].split(",")));
        Path stopFile = Path.of(args[2]);
        Path journalFile = Path.of(args[3]);
        var claims = new SteadyClaims(replicas);
        claims.createHosts();
        Files.write(Path.of(journalFile + ".hosts"), claims.hosts().stream().map(Object::toString).toList());
        long beganNanos = System.nanoTime();
        claims.run(Integer.parseInt(args[1]),
                () -> !Files.exists(stopFile) && System.nanoTime() - beganNanos < RUN_MAX_NANOS);
        List<Entry> journal = claims.journal();
        Files.write(journalFile, journal.stream().map(Entry::toString).toList());
        List<String> offences = new ArrayList<>(claims.wrong());
        FoundClaims found = FoundClaims.read(replicas, claims.hosts());
        offences.addAll(found.violations());
        Expectation expected = Expectation.atTheEnd(journal);
        offences.addAll(expected.offences(found.consumers()));
        offences.stream().limit(SHOWN_MAX).forEach(System.out::println);
        long unknownCount = journal.stream().filter(entry -> entry.kind() == Entry.Kind.CLAIM_UNKNOWN
                || entry.kind() == Entry.Kind.RELEASE_UNKNOWN).count();
        System.out.printf("%d requests, %d sent to another replica, %d refused with 503, %d unanswered; %d claims"
                + " must be there, %d are, %d offences%n", journal.size(), replicas.resentCount(), claims.unavailable(),
                unknownCount - claims.unavailable() - claims.wrong().size(), expected.requiredCount(),
                found.consumers().size(), offences.size());
        System.exit(offences.isEmpty() && expected.requiredCount() > 0 ? 0 : 1);
    }
}
