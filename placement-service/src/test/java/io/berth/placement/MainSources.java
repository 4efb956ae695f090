package io.berth.placement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists the main sources of the application in the working folder and of the modules directly below it. */
public final class MainSources {
    private MainSources() {}

    /** Returns the files whose names have this ending. */
    public static List<Path> endingIn(String end) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path sources : folders()) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(end)).forEach(found::add);
            }
        }
        return found;
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(""))) {
            return Stream.concat(Stream.of(Path.of("")), modules)
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
