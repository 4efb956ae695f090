package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests claims while PostgreSQL's disk is full, first for its tables and then also for its write-ahead log. */
class DiskFullIT {
    private static final String DISK_MB = "220";

    @Test
    void refusesClaimsWhileTheDiskIsFullAndRecoversAfterwards() throws Exception {
        Path folder = Files.createTempDirectory("berth-faults-disk");
        Path data = Files.createDirectory(folder.resolve("data"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MB + "m", "tmpfs", data.toString()),
                "skipped: this user may not mount a small disk");
        try (var postgres = Postgres.start(folder);
                var service = ServiceProcess.start(
                        Packaged.PLACEMENT, postgres.url(postgres.port()))) {
            var api = new Api(service.url());
            Await.eventually("readiness", api::isReady);
            var load = new ClaimLoad(List.of(api), Cloud.hosts(api, 12), 16, 1);
            Path balloon = data.resolve("balloon");
            try (load) {
                load.awaitAcknowledged(200);
                fill(balloon);
                Await.eventually("claims are refused", () -> {
                    hurry(postgres);
                    return load.count(503) > 0;
                });
                Await.pause(2_000);
                Files.delete(balloon);
                Await.eventually("PostgreSQL answers", () -> answersIfStarted(postgres));
                System.out.printf("disk full: claims again after %d ms%n",
                        load.awaitAcknowledged(1).toMillis());
                load.awaitAcknowledged(100);
                Await.eventually("readiness is green", api::isReady);
            }
            System.out.println("  " + load);
            try (Connection database = postgres.connect()) {
                load.books.check(database);
            }
        } finally {
            run("umount", "-l", data.toString());
        }
    }

    /** Returns whether PostgreSQL responds, and starts it again if it exited because it could not recover. */
    private static boolean answersIfStarted(Postgres postgres) {
        if (!postgres.isAlive()) {
            System.out.println("disk full: PostgreSQL exited and is started again");
            postgres.startAgain();
        }
        try (Connection database = postgres.connect()) {
            return Books.count(database, "SELECT 1") == 1;
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** Fills the disk to the last byte. */
    private static void fill(Path balloon) throws IOException {
        byte[] air = new byte[64 * 1024];
        try (OutputStream out = Files.newOutputStream(balloon)) {
            while (true) {
                out.write(air);
            }
        } catch (IOException full) {
            assertThat(full.getMessage()).contains("No space left");
        }
    }

    /** Switches to a new file of PostgreSQL's write-ahead log, which claims alone would take minutes to reach. */
    private static void hurry(Postgres postgres) {
        try (Connection database = postgres.connect(); var statement = database.createStatement()) {
            statement.execute("SELECT pg_switch_wal()");
        } catch (SQLException full) {
            // The disk is full, as intended.
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
