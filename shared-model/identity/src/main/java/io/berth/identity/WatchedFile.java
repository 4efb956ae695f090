package io.berth.identity;

import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * A file that an operator may edit while the service runs. A timer checks the file for changes every {@value #POLL_MS}
 * ms. If a new version is invalid, unreadable or larger than {@value #BYTES_MAX} bytes, the fault is logged once and
 * the previous version stays in force.
 *
 * @param <T> the parsed content; immutable
 */
public final class WatchedFile<T> {
    private static final Logger LOG = Logger.getLogger(WatchedFile.class);
    private static final long POLL_MS = 2_000;
    private static final long BYTES_MAX = 4 << 20;

    private final String key;
    private final Path path;
    private final Function<String, T> parser;
    /** Set by {@link #open} before the file is used. */
    @SuppressWarnings("NullAway.Init")
    private volatile T current;
    private @Nullable Stamp lastStamp;
    /** The last logged reason why the file could not be read; null if the last attempt to read it succeeded. */
    private @Nullable String loggedFault;

    /** The attributes by which a change of the file is detected. */
    private record Stamp(FileTime modified, long bytes, Object fileKey) {}

    private WatchedFile(String key, Path path, Function<String, T> parser) {
        this.key = key;
        this.path = path;
        this.parser = parser;
    }

    /**
     * Reads the file, and watches it on worker threads of Vert.x until the process ends.
     *
     * @param key the option that names the file, for messages
     * @param parser throws a RuntimeException whose message describes the fault for the operator
     * @throws IllegalStateException from {@link StartRefusal} if the file cannot be read or parsed
     */
    public static <T> WatchedFile<T> open(Vertx vertx, String key, String path, Function<String, T> parser) {
        return open(vertx, key, path, parser, POLL_MS);
    }

    static <T> WatchedFile<T> open(Vertx vertx, String key, String path, Function<String, T> parser, long pollMs) {
        WatchedFile<T> file = new WatchedFile<>(key, Path.of(path.strip()), parser);
        try {
            file.lastStamp = file.readStamp();
            file.current = parser.apply(file.readText());
        } catch (IOException e) {
            throw StartRefusal.because(file.describe(e));
        } catch (RuntimeException e) {
            throw StartRefusal.because(key + "=" + path + ": " + e.getMessage());
        }
        vertx.setPeriodic(pollMs, timer -> vertx.executeBlocking(() -> {
            file.check();
            return null;
        }));
        return file;
    }

    /** Returns the content of the newest valid version. */
    public T current() {
        return current;
    }

    /** Reloads the file if its modification time, size or file key changed since the last check. */
    synchronized void check() {
        try {
            Stamp stamp = readStamp();
            if (stamp.equals(lastStamp)) {
                return;
            }
            lastStamp = stamp;
            String text = readText();
            loggedFault = null;
            current = parser.apply(text);
            LOG.infof("reloaded %s=%s", key, path);
        } catch (IOException e) {
            // An unreadable file is read again at every check, because a restored permission, for example, does not
            // change the stamp.
            lastStamp = null;
            String why = describe(e);
            if (!why.equals(loggedFault)) {
                LOG.errorf("%s; the previous version stays in force", why);
            }
            loggedFault = why;
        } catch (RuntimeException e) {
            LOG.errorf("%s=%s: %s; the previous version stays in force", key, path, e.getMessage());
        }
    }

    private Stamp readStamp() throws IOException {
        var attributes = Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class);
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    private String readText() throws IOException {
        if (Files.size(path) > BYTES_MAX) {
            throw new IOException("larger than " + BYTES_MAX + " bytes");
        }
        return Files.readString(path, StandardCharsets.UTF_8);
    }

    private String describe(IOException e) {
        String why = switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case CharacterCodingException _ -> "it is not UTF-8";
            default -> e.toString();
        };
        return key + "=" + path + ": cannot be read: " + why;
    }
}
