package io.berth.identity;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.LogLines;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests watched files that hold a number each and are edited. */
class WatchedFileIT {
    private static final int POLL_EVERY_MS = 100;

    private final Vertx vertx = Vertx.vertx();
    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void logsAnInvalidVersionOnceAndKeepsThePreviousOne() throws IOException {
        Path noNumber = folder.resolve("no-number");
        Path noText = folder.resolve("no-text");
        Path gone = folder.resolve("gone");
        List<WatchedFile<Integer>> files = new ArrayList<>();
        for (Path path : List.of(noNumber, noText, gone)) {
            Files.writeString(path, "1");
            files.add(WatchedFile.open(vertx, "key", path.toString(), Integer::valueOf, POLL_EVERY_MS));
        }
        try (LogLines log = LogLines.of(WatchedFile.class)) {
            Edits.replace(noNumber, "two");
            Edits.replace(noText, new byte[] {'2', (byte) 0xff});
            Files.delete(gone);
            eventually(() -> assertThat(log.lines()).hasSizeGreaterThanOrEqualTo(3));
            for (int look = 0; look < 2; look++) {
                files.forEach(WatchedFile::check);
            }
            String kept = "; the previous version stays in force";
            assertThat(log.lines()).containsExactlyInAnyOrder(
                    "key=" + noNumber + ": For input string: \"two\"" + kept,
                    "key=" + noText + ": cannot be read: it is not UTF-8" + kept,
                    "key=" + gone + ": cannot be read: there is no such file" + kept);
            assertThat(files).extracting(WatchedFile::current).containsOnly(1);

            for (Path path : List.of(noNumber, noText, gone)) {
                Edits.replace(path, "23");
            }
            eventually(() -> assertThat(files).extracting(WatchedFile::current).containsOnly(23));
            Files.delete(gone);
            eventually(() -> assertThat(log.lines()).filteredOn(line -> line.contains("no such file")).hasSize(2));
        }
    }
}
