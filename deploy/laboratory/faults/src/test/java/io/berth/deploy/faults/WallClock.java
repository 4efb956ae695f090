package io.berth.deploy.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of processes that are started with {@link #environment}, which can jump. {@code wall-clock.c}
 * implements it.
 */
final class WallClock implements AutoCloseable {
    private static final int COMPILE_SECONDS_MAX = 30;

    private final Path folder;
    private final Path library;
    private final Path file;
    private final MappedByteBuffer aheadSeconds;

    private WallClock(Path folder, Path library) throws IOException {
        this.folder = folder;
        this.library = library;
        this.file = Files.write(folder.resolve("ahead"), new byte[Long.BYTES]);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.aheadSeconds = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
        }
        aheadSeconds.order(ByteOrder.nativeOrder());
    }

    /** Returns a clock, or an empty result on a machine without a C compiler. */
    static Optional<WallClock> findOne() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("berth-faults-clock");
        Path source = folder.resolve("wall-clock.c");
        try (InputStream text = WallClock.class.getResourceAsStream("/wall-clock.c")) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path library = folder.resolve("wall-clock.so");
        return compile(source, library) ? Optional.of(new WallClock(folder, library)) : Optional.empty();
    }

    private static boolean compile(Path source, Path library) throws InterruptedException {
        var command = List.of("cc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-ldl");
        try {
            Process compiler = new ProcessBuilder(command).inheritIO().start();
            return compiler.waitFor(COMPILE_SECONDS_MAX, TimeUnit.SECONDS) && compiler.exitValue() == 0;
        } catch (IOException noCompiler) {
            return false;
        }
    }

    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "BERTH_TEST_CLOCK", file.toString());
    }

    /** @param ahead difference from this machine's clock, negative if behind */
    void set(Duration ahead) {
        aheadSeconds.putLong(0, ahead.toSeconds());
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }
}
