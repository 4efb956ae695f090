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
 * Caches data of providers ({@link ProviderPart}) and consumers ({@link ConsumerPart}) that a migration has read of one
 * Placement, with their generations. As long as a provider or consumer has the cached generation, its data are not read
 * again, in the same run or in a later run. The cache is in memory, and for later runs also in a file. Each line of the
 * file is JSON: the first one names the service and says, if known, whether it is a Berth; each further line has a
 * provider or a consumer. Of several lines with the same uuid, the last one counts; a truncated line is ignored. A line
 * takes some 300 bytes. Entries can be found and added by several threads at a time; the other methods are for one
 * thread, while no other uses the journal.
 */
public final class Journal implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<UUID, ProviderPart> providers = new ConcurrentHashMap<>();
    private final Map<UUID, ConsumerPart> consumers = new ConcurrentHashMap<>();
    private final String service;
    /** True if the cached state was read from a Berth, false if from OpenStack's Placement; null if unknown. */
    private @Nullable Boolean isBerth;
    /** Null for a journal in memory only. */
    private final @Nullable Path file;
    private @Nullable BufferedWriter writer;

    /** A provider's generation, and its data that cannot change without a new generation. */
    record ProviderPart(long generation, SortedMap<String, Inventory> inventories, SortedSet<String> traits) {}

    /**
     * A consumer's generation, and its data that {@code GET /resource_providers/{uuid}/allocations} does not contain.
     */
    record ConsumerPart(long generation, String project, String user, String type) {}

    private Journal(String service, @Nullable Path file) {
        this.service = service;
        this.file = file;
    }

    public static Journal inMemory() {
        return new Journal("", null);
    }

    /**
     * Opens a journal in a file. Loads the entries of the file if it is of the same service, else overwrites it.
     * Creates missing folders.
     *
     * @param service the URL of the service, which the first line of the file names
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
        journal.rewriteAndOpen(file);
        return journal;
    }

    /** Returns the number of cached providers and consumers. */
    public int size() {
        return providers.size() + consumers.size();
    }

    /** Returns the cached data of the provider; null if there are none. */
    @Nullable ProviderPart findProvider(UUID provider) {
        return providers.get(provider);
    }

    /** Returns the cached data of the consumer; null if there are none. */
    @Nullable ConsumerPart findConsumer(UUID consumer) {
        return consumers.get(consumer);
    }

    void addProvider(UUID provider, ProviderPart part) {
        if (!part.equals(providers.put(provider, part))) {
            write(line(provider, part));
        }
    }

    void addConsumer(UUID consumer, ConsumerPart part) {
        if (!part.equals(consumers.put(consumer, part))) {
            write(line(consumer, part));
        }
    }

    /**
     * Clears the journal unless its data are known to have been read from the given kind of service. A URL may lead to
     * OpenStack's Placement before a migration and to Berth after the migration, and the generations of these two
     * services are unrelated.
     *
     * @param ofBerth whether the service is a Berth
     * @throws UncheckedIOException if the file cannot be written; the message is one line for the user
     */
    public void clearUnlessKind(boolean ofBerth) {
        if (isBerth == null || isBerth != ofBerth) {
            isBerth = ofBerth;
            forgetAll();
        }
    }

    /**
     * Returns whether the cached generation of the provider is higher than the present one. Then the service was
     * restored from a backup, or the provider was deleted and created again. False if none is cached.
     *
     * @param generation the provider's present generation
     */
    boolean isAhead(UUID provider, long generation) {
        ProviderPart cached = providers.get(provider);
        return cached != null && cached.generation() > generation;
    }

    /**
     * Removes all providers and consumers from memory and from the file.
     *
     * @throws UncheckedIOException if the file cannot be written; the message is one line for the user
     */
    void forgetAll() {
        providers.clear();
        consumers.clear();
        rewrite();
    }

    /** Writes the file again from memory. */
    private void rewrite() {
        try {
            close();
            if (file != null) {
                rewriteAndOpen(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * Removes all providers and consumers except those with these uuids. For use after a complete read: the removed
     * ones no longer exist.
     */
    void keepOnly(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(uuid -> !ofProviders.contains(uuid), uuid -> !ofConsumers.contains(uuid));
    }

    /**
     * Removes providers and consumers that are about to be written, because one that is deleted and created again may
     * reach its cached generation with other content.
     *
     * @throws UncheckedIOException if the file cannot be written; the message is one line for the user
     */
    public void forget(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(ofProviders::contains, ofConsumers::contains);
    }

    /** Removes providers and consumers from memory and from the file. */
    private void forget(Predicate<UUID> isProviderGone, Predicate<UUID> isConsumerGone) {
        int before = size();
        providers.keySet().removeIf(isProviderGone);
        consumers.keySet().removeIf(isConsumerGone);
        if (size() < before) {
            rewrite();
        }
    }

    private static ObjectNode line(UUID provider, ProviderPart part) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("provider", provider.toString()).put("generation", part.generation());
        ObjectNode inventories = line.putObject("inventories");
        part.inventories().forEach((name, inventory) -> inventory.render(inventories.putObject(name)));
        part.traits().forEach(line.putArray("traits")::add);
        return line;
    }

    private static ObjectNode line(UUID consumer, ConsumerPart part) {
        return JsonNodeFactory.instance.objectNode().put("consumer", consumer.toString())
                .put("generation", part.generation()).put("project", part.project()).put("user", part.user())
                .put("type", part.type());
    }

    private synchronized void write(ObjectNode line) {
        if (writer == null) {
            return;
        }
        try {
            writer.write(line.toString());
            writer.newLine();
            // A line that is flushed survives if this process is killed.
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s; make room, or name another file with --journal"
                    .formatted(
                            file, e.getMessage()), e);
        }
    }

    /** Replaces the file by one with a line for each cached provider and consumer, and opens it to append lines. */
    private void rewriteAndOpen(Path file) throws IOException {
        Path newFile = file.resolveSibling(file.getFileName() + ".new");
        try (BufferedWriter newWriter = Files.newBufferedWriter(newFile)) {
            writer = newWriter;
            write(JsonNodeFactory.instance.objectNode().put("service", service).put("berth", isBerth));
            providers.forEach((uuid, part) -> write(line(uuid, part)));
            consumers.forEach((uuid, part) -> write(line(uuid, part)));
        }
        Files.move(newFile, file, StandardCopyOption.REPLACE_EXISTING);
        writer = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }

    /** Loads the entries of the file; none if the first line names another service. */
    private void load(Path file) throws IOException {
        try (var fileLines = Files.lines(file)) {
            boolean isFirst = true;
            for (String line : (Iterable<String>) fileLines::iterator) {
                JsonNode node = parse(line);
                if (isFirst && !node.path("service").asText().equals(service)) {
                    return;
                }
                isBerth = isFirst && node.path("berth").isBoolean()
                        ? Boolean.valueOf(node.path("berth").asBoolean())
                        : isBerth;
                isFirst = false;
                addParsed(node);
            }
        }
    }

    private void addParsed(JsonNode node) {
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

    /** Returns the parsed line; a missing node if an interruption truncated the line. */
    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.missingNode();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
