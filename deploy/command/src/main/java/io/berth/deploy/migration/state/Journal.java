package io.berth.deploy.migration.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Caches what was read of one Placement, with the generation of each provider and consumer. An item that still has the
 * cached generation is not read again, in the same run or in a later one. The cache is in memory, and also in a file if
 * one is given. The file has one line of JSON per item; of several lines for an item the last counts, and a truncated
 * line is ignored. An item takes some 300 bytes. Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<UUID, ProviderPart> providers = new ConcurrentHashMap<>();
    private final Map<UUID, ConsumerPart> consumers = new ConcurrentHashMap<>();
    private final String service;
    /** True if the cached state is that of a Berth; null if that is not known yet. */
    private @Nullable Boolean isBerth;
    /** Null for a journal in memory only. */
    private final @Nullable Path file;
    private @Nullable BufferedWriter lines;

    /** The data of a provider that cannot change without a new generation. */
    record ProviderPart(long generation, SortedMap<String, Inventory> inventories, SortedSet<String> traits) {}

    /** The data of a consumer that {@code GET /resource_providers/{uuid}/allocations} does not contain. */
    record ConsumerPart(long generation, String project, String user, String type) {}

    private Journal(String service, @Nullable Path file) {
        this.service = service;
        this.file = file;
    }

    public static Journal inMemory() {
        return new Journal("", null);
    }

    /**
     * Opens a journal in a file, and loads its entries if it belongs to that service. Creates missing folders.
     *
     * @param service the URL of the service
     * @throws IOException if the file cannot be read or written
     */
    public static Journal open(Path file, String service) throws IOException {
        var journal = new Journal(service, file);
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        if (Files.exists(file)) {
            journal.load(file);
        }
        journal.begin(file);
        return journal;
    }

    /** Returns the number of cached providers and consumers. */
    public int size() {
        return providers.size() + consumers.size();
    }

    @Nullable ProviderPart find(UUID provider) {
        return providers.get(provider);
    }

    @Nullable ConsumerPart findConsumer(UUID consumer) {
        return consumers.get(consumer);
    }

    void add(UUID provider, ProviderPart read) {
        if (!read.equals(providers.put(provider, read))) {
            write(line(provider, read));
        }
    }

    void addConsumer(UUID consumer, ConsumerPart read) {
        if (!read.equals(consumers.put(consumer, read))) {
            write(line(consumer, read));
        }
    }

    /**
     * Clears the journal unless it was recorded from the same kind of service. A URL may lead to OpenStack's Placement
     * before a migration and to Berth after it, and generations of the two are unrelated.
     *
     * @param ofBerth whether the service is a Berth
     * @throws UncheckedIOException if the file cannot be written, with one line for the user
     */
    public void believe(boolean ofBerth) {
        if (isBerth == null || isBerth != ofBerth) {
            isBerth = ofBerth;
            forgetAll();
        }
    }

    /**
     * Returns whether the service now lists a lower generation than the cached one. Then the service was restored from
     * a backup, or the provider was deleted and created again.
     */
    boolean isAhead(UUID provider, long generation) {
        ProviderPart known = providers.get(provider);
        return known != null && known.generation() > generation;
    }

    /** @throws UncheckedIOException if the file cannot be written, with one line for the user */
    void forgetAll() {
        providers.clear();
        consumers.clear();
        rewrite();
    }

    private void rewrite() {
        try {
            close();
            if (file != null) {
                begin(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Removes all other items, which no longer exist. For use after a complete read. */
    void keepOnly(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(uuid -> !ofProviders.contains(uuid), uuid -> !ofConsumers.contains(uuid));
    }

    /**
     * Removes items that are about to be written. An item that is deleted and created again may reach its cached
     * generation with other content.
     *
     * @throws UncheckedIOException if the file cannot be written, with one line for the user
     */
    public void forget(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(ofProviders::contains, ofConsumers::contains);
    }

    /** Removes items from memory and from the file. */
    private void forget(Predicate<UUID> isProviderGone, Predicate<UUID> isConsumerGone) {
        int before = size();
        providers.keySet().removeIf(isProviderGone);
        consumers.keySet().removeIf(isConsumerGone);
        if (size() < before) {
            rewrite();
        }
    }

    private static ObjectNode line(UUID provider, ProviderPart read) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("provider", provider.toString()).put("generation", read.generation());
        ObjectNode inventories = line.putObject("inventories");
        read.inventories().forEach((name, inventory) -> inventory.render(inventories.putObject(name)));
        read.traits().forEach(line.putArray("traits")::add);
        return line;
    }

    private static ObjectNode line(UUID consumer, ConsumerPart read) {
        return JsonNodeFactory.instance.objectNode().put("consumer", consumer.toString())
                .put("generation", read.generation()).put("project", read.project()).put("user", read.user())
                .put("type", read.type());
    }

    private synchronized void write(ObjectNode line) {
        if (lines == null) {
            return;
        }
        try {
            lines.write(line.toString());
            lines.newLine();
            // A line that is flushed survives if this process is killed.
            lines.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s; make room, or name another file with --journal"
                    .formatted(
                            file, e.getMessage()), e);
        }
    }

    /** Replaces the file by one that has a line per cached item, and opens it to append further lines. */
    private void begin(Path file) throws IOException {
        Path newFile = file.resolveSibling(file.getFileName() + ".new");
        try (BufferedWriter all = Files.newBufferedWriter(newFile)) {
            lines = all;
            write(JsonNodeFactory.instance.objectNode().put("service", service).put("berth", isBerth));
            providers.forEach((uuid, read) -> write(line(uuid, read)));
            consumers.forEach((uuid, read) -> write(line(uuid, read)));
        }
        Files.move(newFile, file, StandardCopyOption.REPLACE_EXISTING);
        lines = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }

    private void load(Path file) throws IOException {
        try (var read = Files.lines(file)) {
            boolean isFirst = true;
            for (String line : (Iterable<String>) read::iterator) {
                JsonNode node = parse(line);
                if (isFirst && !node.path("service").asText().equals(service)) {
                    return;
                }
                isBerth = isFirst && node.path("berth").isBoolean()
                        ? Boolean.valueOf(node.path("berth").asBoolean())
                        : isBerth;
                isFirst = false;
                remember(node);
            }
        }
    }

    private void remember(JsonNode node) {
        long generation = node.path("generation").asLong();
        if (node.has("provider")) {
            SortedMap<String, Inventory> inventories = new TreeMap<>();
            node.path("inventories").properties().forEach(
                    each -> inventories.put(each.getKey().intern(), Inventory.parse(each.getValue())));
            SortedSet<String> traits = new TreeSet<>();
            node.path("traits").forEach(each -> traits.add(each.asText().intern()));
            providers.put(UUID.fromString(node.path("provider").asText()),
                    new ProviderPart(generation, inventories, traits));
        } else if (node.has("consumer")) {
            consumers.put(UUID.fromString(node.path("consumer").asText()), new ConsumerPart(generation,
                    node.path("project").asText().intern(), node.path("user").asText().intern(),
                    node.path("type").asText().intern()));
        }
    }

    /** Returns the parsed line; a missing node if an interruption truncated it. */
    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.missingNode();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
    }
}
