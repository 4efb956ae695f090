package io.berth.deploy.cloud;

import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads the settings of a cloud from {@code clouds.yaml}: the file that $OS_CLIENT_CONFIG_FILE names, else the first
 * that exists in the working folder, ~/.config/openstack and /etc/openstack. Settings of the cloud in {@code
 * secure.yaml} of the same folder override those in clouds.yaml. Source: openstacksdk, "Configuring OpenStack SDK
 * Applications".
 */
final class CloudsFile {
    private CloudsFile() {}

    /**
     * Returns the settings of the cloud, overridden by those of its region, which is $OS_REGION_NAME, else the first
     * region that the cloud lists. If the files have no password, takes it from $OS_PASSWORD.
     *
     * @throws IllegalArgumentException if there is no file or it is invalid, or if it has no such cloud or region; the
     *         message is one line for the user
     */
    static CloudSettings find(String cloud, Map<String, String> environment) {
        List<Path> searchedFiles = candidateFiles(environment);
        Path file = searchedFiles.stream().filter(Files::isRegularFile).findFirst().orElseThrow(
                () -> new IllegalArgumentException("cloud %s: there is no clouds.yaml (looked for %s)".formatted(cloud,
                        String.join(", ", searchedFiles.stream().map(Path::toString).toList()))));
        Map<?, ?> clouds = readClouds(file);
        if (!(clouds.get(cloud) instanceof Map<?, ?> cloudSettings)) {
            if (clouds.containsKey(cloud)) {
                throw new IllegalArgumentException("%s has no settings for cloud %s: add auth below it"
                        .formatted(file, cloud));
            }
            var names = new TreeSet<String>();
            clouds.keySet().forEach(name -> names.add(String.valueOf(name)));
            throw new IllegalArgumentException("%s has no cloud %s, but %s".formatted(
                    file, cloud, names.isEmpty() ? "none at all" : String.join(", ", names)));
        }
        Map<String, String> values = new HashMap<>();
        collect(cloudSettings, values);
        Path secrets = file.resolveSibling("secure.yaml");
        if (Files.isRegularFile(secrets) && readClouds(secrets).get(cloud) instanceof Map<?, ?> secretSettings) {
            collect(secretSettings, values);
        }
        Map<String, Map<?, ?>> regions = regions(cloud, cloudSettings.get("regions"), values.get("region_name"));
        String region = region(cloud, List.copyOf(regions.keySet()), environment);
        if (region != null) {
            collect(regions.getOrDefault(region, Map.of()), values);
            values.put("region_name", region);
        }
        // The OpenStack client also accepts OS_PASSWORD beside clouds.yaml, so that no password has to be in a file.
        if (environment.containsKey("OS_PASSWORD")) {
            values.putIfAbsent("password", environment.get("OS_PASSWORD"));
        }
        return new CloudSettings("cloud " + cloud + " of " + file, values);
    }

    /**
     * Returns the regions of a cloud by name, in the order of the file, with the settings of each region that override
     * the cloud's settings.
     *
     * @param regionsSetting the value of {@code regions} in the file; null if it has none
     * @param regionNames the value of {@code region_name}, a comma-separated list, which counts only if {@code regions}
     *         is missing or empty; null if there is none
     * @throws IllegalArgumentException if a region has no name, or has members other than name and values
     */
    private static Map<String, Map<?, ?>> regions(String cloud, @Nullable Object regionsSetting,
            @Nullable String regionNames) {
        Map<String, Map<?, ?>> regions = new LinkedHashMap<>();
        for (Object each : regionsSetting instanceof List<?> listed ? listed : List.of()) {
            Map<?, ?> region = each instanceof Map<?, ?> map ? map : Map.of("name", String.valueOf(each));
            if (region.get("name") == null || !Set.of("name", "values").containsAll(region.keySet())) {
                throw new IllegalArgumentException("a region of cloud %s has a name, and all else below values, not %s"
                        .formatted(
                                cloud, region.keySet()));
            }
            regions.put(String.valueOf(region.get("name")),
                    region.get("values") instanceof Map<?, ?> values ? values : Map.of());
        }
        if (regions.isEmpty() && regionNames != null) {
            List.of(regionNames.split(",")).forEach(each -> regions.put(each, Map.of()));
        }
        return regions;
    }

    /**
     * Returns the name of the region: $OS_REGION_NAME, else the first region of the cloud; null if there is neither.
     *
     * @throws IllegalArgumentException if $OS_REGION_NAME is not a region of a cloud that lists its regions
     */
    private static @Nullable String region(String cloud, List<String> regions, Map<String, String> environment) {
        String requested = environment.getOrDefault("OS_REGION_NAME", "");
        if (requested.isEmpty()) {
            return regions.isEmpty() ? null : regions.getFirst();
        }
        if (!regions.isEmpty() && !regions.contains(requested)) {
            throw new IllegalArgumentException("OS_REGION_NAME=%s is no region of cloud %s (%s): unset it".formatted(
                    requested, cloud, String.join(", ", regions)));
        }
        return requested;
    }

    private static List<Path> candidateFiles(Map<String, String> environment) {
        String configFile = environment.get("OS_CLIENT_CONFIG_FILE");
        if (configFile != null && !configFile.isEmpty()) {
            return List.of(Path.of(configFile));
        }
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return List.of(Path.of("clouds.yaml").toAbsolutePath(), Path.of(home, ".config", "openstack", "clouds.yaml"),
                Path.of("/etc", "openstack", "clouds.yaml"));
    }

    private static Map<?, ?> readClouds(Path file) {
        try (Reader text = Files.newBufferedReader(file)) {
            Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            if (content instanceof Map<?, ?> document && document.get("clouds") instanceof Map<?, ?> clouds) {
                return clouds;
            }
            throw new IllegalArgumentException(file + " has no cloud: there is nothing below a member clouds");
        } catch (MarkedYAMLException e) {
            // The exception's own message shows the line, which may contain a password.
            throw new IllegalArgumentException("cannot read %s: line %d: %s".formatted(
                    file, e.getProblemMark().getLine() + 1, e.getProblem()), e);
        } catch (IOException | YAMLException e) {
            throw new IllegalArgumentException(
                    "cannot read %s: %s".formatted(file, String.valueOf(e.getMessage()).replaceAll("\\s+", " ")), e);
        }
    }

    /**
     * Adds the settings to {@code into}, those below {@code auth} included, with underscores for the dashes in names.
     * Ignores settings without a value and other nested settings.
     */
    private static void collect(Map<?, ?> from, Map<String, String> into) {
        from.forEach((name, value) -> {
            if (value instanceof Map<?, ?> settings) {
                if ("auth".equals(name)) {
                    collect(settings, into);
                }
            } else if (value != null) {
                into.put(String.valueOf(name).replace('-', '_'), String.valueOf(value));
            }
        });
    }
}
