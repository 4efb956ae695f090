package io.berth.scheduler.page;

import io.berth.identity.StartRefusal;
import io.berth.identity.http.BoundedHttp;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.StringJoiner;

/**
 * Holds all files of the operator's page in memory, less than 400 KB. Reads them from the class path at start, because
 * Vert.x would copy files of the class path to disk before it serves them, and the disk may be read-only.
 */
@Singleton
class PageFiles {
    /** The key of {@code index.html} in {@link #all}; this file is served at {@code /ui}. */
    static final String INDEX = "";
    /** The folder of the page's sources on the class path. */
    private static final String SOURCES = "page/";
    private static final List<String> SOURCE_FILES = List.of(
            "index.html", "page.css", "icon.svg", "main.js", "parts.js", "place.js", "names.js", "watches.js", "api.js",
            "signin.js", "fleet.js", "map.js", "host.js", "changes.js", "instance.js", "search.js", "decisions.js",
            "explanation.js", "copy.js", "capacity.js", "whatif.js", "drain.js", "history.js", "health.js");
    /** The files of preact in its web jar, by the name under which modules import them. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "preact", "dist/preact.module.js",
            "preact/hooks", "hooks/dist/hooks.module.js");
    private static final String PREACT_PROPERTIES = "META-INF/maven/org.webjars.npm/preact/pom.properties";
    /** Placeholder in index.html for the import map, which maps the names of libraries to their URLs. */
    private static final String IMPORT_MAP = "IMPORT_MAP";
    /** Placeholder in index.html for the URL of Prometheus. */
    private static final String PROMETHEUS = "PROMETHEUS";

    private final Map<String, PageFile> files = new LinkedHashMap<>();
    private final String importMap;
    private final @Nullable URI prometheus;

    PageFiles(PageConfig config) {
        try {
            prometheus = config.prometheusUrl().map(BoundedHttp::parseBase).orElse(null);
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because("berth.page.prometheus-url: " + e.getMessage());
        }
        String preact = "META-INF/resources/webjars/preact/" + versionOfPreact() + "/";
        StringJoiner imports = new StringJoiner(",", "{\"imports\":{", "}}");
        LIBRARIES.keySet().stream().sorted().forEach(name -> {
            String path = "lib/" + name.replace('/', '-') + ".js";
            files.put(path, PageFile.of(path, read(preact + LIBRARIES.get(name))));
            imports.add("\"%s\":\"/ui/%s\"".formatted(name, path));
        });
        importMap = imports.toString();
        for (String name : SOURCE_FILES) {
            byte[] content = read(SOURCES + name);
            if (name.equals("index.html")) {
                String html = new String(content, StandardCharsets.UTF_8).replace(IMPORT_MAP, importMap)
                        .replace(PROMETHEUS, prometheus == null ? "" : prometheus.toString());
                files.put(INDEX, PageFile.of(name, html.getBytes(StandardCharsets.UTF_8)));
            } else {
                files.put(name, PageFile.of(name, content));
            }
        }
    }

    /** Returns the hash of the import map, the page's only inline script, as the Content-Security-Policy expects it. */
    String importMapHash() {
        return "sha256-" + PageFile.sha256(importMap.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a blank and the origin of Prometheus, to be appended in the Content-Security-Policy; empty if no
     * Prometheus is configured.
     */
    String connectSourceSuffix() {
        return prometheus == null ? "" : " " + prometheus.getScheme() + "://" + prometheus.getRawAuthority();
    }

    /**
     * Returns the file; null if the page has no file of this name.
     *
     * @param name path below {@code /ui/}
     */
    @Nullable PageFile find(String name) {
        return files.get(name);
    }

    /** Returns all files by their path below {@code /ui/}. */
    Map<String, PageFile> all() {
        return files;
    }

    private static String versionOfPreact() {
        Properties properties = new Properties();
        try {
            properties.load(new ByteArrayInputStream(read(PREACT_PROPERTIES)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    private static byte[] read(String path) {
        try (InputStream in = PageFiles.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
