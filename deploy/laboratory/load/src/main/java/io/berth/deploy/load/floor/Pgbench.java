package io.berth.deploy.load.floor;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how fast PostgreSQL itself writes claims: {@code pgbench} writes the rows of a claim in a schema of its own,
 * either with seven statements in a transaction or with a single statement.
 */
public final class Pgbench implements AutoCloseable {
    private static final Pattern PER_SECOND = Pattern.compile("tps = ([0-9.]+)");
    private static final Pattern LATENCY = Pattern.compile("latency average = ([0-9.]+) ms");
    private static final Pattern TRANSACTIONS = Pattern.compile("transactions actually processed: (\\d+)");
    private static final long END_TIMEOUT_SECONDS = 60;

    /**
     * Creates the tables, in which each host has three resource classes. Variable: n, the number of hosts, with ids
     * from 1.
     */
    private static final String CREATE_TABLES = """
            DROP SCHEMA IF EXISTS berth_bench_floor CASCADE;
            CREATE SCHEMA berth_bench_floor;
            CREATE TABLE berth_bench_floor.host (id int PRIMARY KEY, generation int NOT NULL);
            CREATE TABLE berth_bench_floor.stock (
                host int, class int, total bigint NOT NULL, used bigint NOT NULL, PRIMARY KEY (host, class));
            CREATE TABLE berth_bench_floor.consumer (uuid uuid PRIMARY KEY, generation int NOT NULL);
            CREATE TABLE berth_bench_floor.taken (
                consumer uuid, host int, class int, amount int NOT NULL, PRIMARY KEY (consumer, host, class));
            INSERT INTO berth_bench_floor.host SELECT h, 0 FROM generate_series(1, :n) AS h;
            INSERT INTO berth_bench_floor.stock
                SELECT h, c, 4000000000, 0 FROM generate_series(1, :n) AS h, generate_series(0, 2) AS c;
            ANALYZE berth_bench_floor.host, berth_bench_floor.stock;
            """;

    private static final String DROP_TABLES = "DROP SCHEMA IF EXISTS berth_bench_floor CASCADE;\n";

    /**
     * A claim of one unit of each class on a random host, in seven statements with BEGIN and COMMIT. The totals are
     * read, but not compared, because they are never reached. Variables: first and last, the range of the hosts' ids.
     */
    private static final String SEVEN_STATEMENTS = """
            \\set host random(:first, :last)
            BEGIN;
            INSERT INTO berth_bench_floor.consumer VALUES (gen_random_uuid(), 1) RETURNING uuid AS consumer \\gset
            UPDATE berth_bench_floor.host SET generation = generation + 1 WHERE id = :host;
            SELECT class, total, used FROM berth_bench_floor.stock WHERE host = :host;
            INSERT INTO berth_bench_floor.taken
                SELECT cast(:consumer AS uuid), cast(:host AS int), c, 1 FROM generate_series(0, 2) AS c;
            UPDATE berth_bench_floor.stock SET used = used + 1 WHERE host = :host;
            COMMIT;
            """;

    /**
     * The claim of {@link #SEVEN_STATEMENTS} in one statement, with the same variables. A class that is full would get
     * no allocation; here no class ever is.
     */
    private static final String ONE_STATEMENT = """
            \\set host random(:first, :last)
            WITH locked AS (
                UPDATE berth_bench_floor.host SET generation = generation + 1 WHERE id = :host RETURNING id),
            new AS (
                INSERT INTO berth_bench_floor.consumer SELECT gen_random_uuid(), 1 FROM locked RETURNING uuid),
            room AS (
                UPDATE berth_bench_floor.stock SET used = used + 1 FROM locked
                 WHERE host = locked.id AND used < total RETURNING host, class)
            INSERT INTO berth_bench_floor.taken SELECT uuid, host, class, 1 FROM room, new;
            """;

    /** The statements of a claim. */
    public enum Form {
        SEVEN("pgbench, 7 statements", SEVEN_STATEMENTS),
        ONE("pgbench, 1 statement", ONE_STATEMENT);

        private final String label;
        private final String script;

        Form(String label, String script) {
            this.label = label;
            this.script = script;
        }

        public String label() {
            return label;
        }
    }

    /**
     * The figures that pgbench printed.
     *
     * @param perSecond transactions a second
     * @param latencyMsMean mean latency of a transaction in ms
     * @param transactions transactions of the whole run
     */
    public record Figures(double perSecond, double latencyMsMean, long transactions) {
        /** @throws IOException if the output lacks a figure */
        static Figures parse(String output) throws IOException {
            Matcher perSecond = PER_SECOND.matcher(output);
            Matcher latency = LATENCY.matcher(output);
            Matcher transactions = TRANSACTIONS.matcher(output);
            if (!perSecond.find() || !latency.find() || !transactions.find()) {
                throw new IOException("pgbench: " + output.lines().reduce((_, last) -> last).orElse("no output"));
            }
            return new Figures(Double.parseDouble(perSecond.group(1)), Double.parseDouble(latency.group(1)),
                    Long.parseLong(transactions.group(1)));
        }
    }

    private final Map<String, String> connection;
    private final int hosts;
    private final Path folder;

    private Pgbench(Map<String, String> connection, int hosts, Path folder) {
        this.connection = connection;
        this.hosts = hosts;
        this.folder = folder;
    }

    public static boolean isInstalled() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(path -> !path.isEmpty() && Files.isExecutable(Path.of(path, "pgbench")));
    }

    /**
     * Creates the tables, which {@link #close} removes. Replaces the tables of an earlier run.
     *
     * @param databaseUrl a URL in the form of BERTH_DATABASE_URL
     * @param hosts the number of hosts in the tables
     * @throws IOException if pgbench fails
     */
    public static Pgbench begin(String databaseUrl, int hosts) throws IOException, InterruptedException {
        var pgbench = new Pgbench(connectionVariables(databaseUrl), hosts, Files.createTempDirectory("berth-bench"));
        pgbench.run(CREATE_TABLES, List.of("-c", "1", "-t", "1", "-D", "n=" + hosts), 0);
        return pgbench;
    }

    /**
     * Runs pgbench with claims of one form, and returns the figures that it printed.
     *
     * @param onOneHost true if all claims are on host 1; false if they are on random hosts from 2 on
     * @param clients the number of concurrent connections
     * @param seconds the duration of the run
     */
    public Figures measure(Form form, boolean onOneHost, int clients, int seconds)
            throws IOException, InterruptedException {
        return Figures.parse(run(form.script, List.of("-M", "prepared", "-c", Integer.toString(clients), "-j", "1",
                "-T", Integer.toString(seconds), "-D", "first=" + (onOneHost ? 1 : 2),
                "-D", "last=" + (onOneHost ? 1 : hosts)),
                seconds));
    }

    private String run(String script, List<String> options, int seconds) throws IOException, InterruptedException {
        Path scriptFile = Files.writeString(folder.resolve("script.sql"), script);
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(List.of("pgbench", "-n", "-f", scriptFile.toString()));
        command.addAll(options);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(connection);
        Process process = builder.start();
        if (!process.waitFor(seconds + END_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("pgbench did not end within %d seconds".formatted(seconds + END_TIMEOUT_SECONDS));
        }
        String printedText = Files.readString(output);
        if (process.exitValue() != 0) {
            throw new IOException("pgbench: " + printedText.lines()
                    .filter(line -> line.contains("rror")).findFirst().orElse("exit " + process.exitValue()));
        }
        return printedText;
    }

    /**
     * Returns the environment variables with the connection. A password in an argument would be visible in {@code ps}.
     */
    private static Map<String, String> connectionVariables(String databaseUrl) {
        URI uri = URI.create(databaseUrl);
        String[] user = uri.getRawUserInfo() == null ? new String[] {"postgres"} : uri.getRawUserInfo().split(":", 2);
        return Map.of(
                "PGHOST", uri.getHost(),
                "PGPORT", Integer.toString(uri.getPort() < 0 ? 5432 : uri.getPort()),
                "PGDATABASE", urlDecode(uri.getRawPath().substring(1)),
                "PGUSER", urlDecode(user[0]),
                "PGPASSWORD", user.length > 1 ? urlDecode(user[1]) : "");
    }

    private static String urlDecode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        try {
            run(DROP_TABLES, List.of("-c", "1", "-t", "1"), 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Files.deleteIfExists(folder.resolve("script.sql"));
            Files.deleteIfExists(folder.resolve("output"));
            Files.deleteIfExists(folder);
        }
    }
}
