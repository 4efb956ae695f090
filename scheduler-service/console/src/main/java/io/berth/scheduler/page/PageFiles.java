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
 * Holds all files of the page in memory: below 400 KB. They are read from the class path at start, because the
 * service's root may be read-only and Vert.x does not serve the class path.
 */
@Singleton
class PageFiles {
    /** The name under which {@link #find} returns the page itself, {@code index.html}. */
    static final String INDEX = "";
    private static final String SOURCES = "page/";
    private static final List<String> OWN = List.of(
            "index.html", "page.css", "icon.svg", "main.js", "parts.js", "api.js", "signin.js", "fleet.js", "map.js",
            "host.js", "decisions.js", "explanation.js", "capacity.js", "whatif.js", "history.js", "health.js");
    /** Maps the name that modules import to the file in the web jar of preact. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "preact", "dist/preact.module.js",
            "preact/hooks", "hooks/dist/hooks.module.js");
    private static final String VERSION_OF_PREACT = "META-INF/maven/org.webjars.npm/preact/pom.properties";
    private static final String IMPORT_MAP = "IMPORT_MAP";
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
        for (String name : OWN) {
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

    /** Returns the hash of the only inline script, for the policy that allows it. */
    String importMapHash() {
        return "sha256-" + PageFile.sha256(importMap.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the origin of Prometheus, for the policy that allows the page to query it: a blank and the origin, or
     * empty.
     */
    String prometheusOrigin() {
        return prometheus == null ? "" : " " + prometheus.getScheme() + "://" + prometheus.getRawAuthority();
    }

    /** @param name path below {@code /ui/}; returns null if there is no such file */
    @Nullable PageFile find(String name) {
        return files.get(name);
    }

    Map<String, PageFile> all() {
        return files;
    }

    private static String versionOfPreact() {
        Properties made = new Properties();
        try {
            made.load(new ByteArrayInputStream(read(VERSION_OF_PREACT)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return made.getProperty("version");
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
