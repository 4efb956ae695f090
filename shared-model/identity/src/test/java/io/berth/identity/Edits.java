package io.berth.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Changes of files that are watched: no reader sees half of one. */
public final class Edits {
    private Edits() {}

    public static void replace(Path file, String text) throws IOException {
        replace(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void replace(Path file, byte[] content) throws IOException {
        Path newFile = Files.write(file.resolveSibling(file.getFileName() + ".new"), content);
        Files.move(newFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Lets a service look at its file without waiting for the moment at which it looks by itself. */
    public static void notice(WatchedFile<?> watched) {
        watched.check();
    }
}
