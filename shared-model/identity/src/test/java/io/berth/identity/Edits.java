package io.berth.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces watched files atomically, so that no reader sees a half-written file. */
public final class Edits {
    private Edits() {}

    public static void replace(Path file, String text) throws IOException {
        replace(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void replace(Path file, byte[] content) throws IOException {
        Path newFile = Files.write(file.resolveSibling(file.getFileName() + ".new"), content);
        Files.move(newFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes a service check its file at once instead of at its next poll. */
    public static void notice(WatchedFile<?> watched) {
        watched.check();
    }
}
