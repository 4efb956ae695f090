package io.berth.deploy.migration.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * Caches earlier reads of a service with their generations: an item with the same generation need not be read again,
 * whether after an interruption or by the next pass. In memory, and in a file if one is named: one line of JSON per
 * item; the last one counts, and a truncated one is ignored. Some 300 bytes a provider and as much a consumer.
 * Thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<UUID, Described> providers = new ConcurrentHashMap<>();
    private final Map<UUID, Owned> consumers = new ConcurrentHashMap<>();
    private final String service;
    /** True if the service is Berth's; null until it is queried. */
    private Boolean isBerth;
    /** Null if the journal is in memory only. */
    private final Path file;
    private BufferedWriter lines;

    /** The parts of a provider that cannot change without its generation. */
    record Described(long generation, SortedMap<String, Inventory> inventories, SortedSet<String> traits) {}

    /** The parts of a consumer that the lists of its providers do not contain. */
    record Owned(long generation, String project, String user, String type) {}

    private Journal(String service, Path file) {
        this.service = service;
        this.file = file;
    }

    public static Journal inMemory() {
        return new Journal("", null);
    }

    /**
     * Loads the file's entries for that service; none if the file is missing or belongs to another service.
     *
     * @param service its URL
     * @throws IOException with a message for the user
     */
    public static Journal open(Path file, String service) throws IOException {
        var journal = new Journal(service, file);
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        if (Files.exists(file)) {
            journal.load();
        }
        journal.begin();
        return journal;
    }

    /** Returns the number of providers and consumers that need not be read again unless they changed. */
    public int size() {
        return providers.size() + consumers.size();
    }

    Described find(UUID provider) {
        return providers.get(provider);
    }

    Owned findConsumer(UUID consumer) {
        return consumers.get(consumer);
    }

    void add(UUID provider, Described read) {
        if (!read.equals(providers.put(provider, read))) {
            write(line(provider, read));
        }
    }

    void addConsumer(UUID consumer, Owned read) {
        if (!read.equals(consumers.put(consumer, read))) {
            write(line(consumer, read));
        }
    }

    /**
     * Forgets everything if the kind of service has changed: one URL may be OpenStack's before a move, and Berth's
     * after it.
     *
     * @throws UncheckedIOException with a message for the user
     */
    public void believe(boolean ofBerth) {
        if (isBerth == null || isBerth != ofBerth) {
            isBerth = ofBerth;
            forgetAll();
        }
    }

    /** Returns whether the listed state is older than the cached one: a service restored from a backup, or another. */
    boolean isAhead(UUID provider, long generation) {
        Described known = providers.get(provider);
        return known != null && known.generation() > generation;
    }

    /** @throws UncheckedIOException with a message for the user */
    void forgetAll() {
        providers.clear();
        consumers.clear();
        rewrite();
    }

    private void rewrite() {
        try {
            close();
            if (file != null) {
                begin();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Forgets items that no longer exist, after everything has been read. */
    void keepOnly(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(uuid -> !ofProviders.contains(uuid), uuid -> !ofConsumers.contains(uuid));
    }

    /**
     * Forgets items that are about to be written: one that is removed and created again may reach the generation that
     * it had, with other content.
     *
     * @throws UncheckedIOException with a message for the user
     */
    public void forget(Set<UUID> ofProviders, Set<UUID> ofConsumers) {
        forget(ofProviders::contains, ofConsumers::contains);
    }

    /** Forgets items in the file, too: a later run must not find them there. */
    private void forget(Predicate<UUID> isProviderGone, Predicate<UUID> isConsumerGone) {
        int before = size();
        providers.keySet().removeIf(isProviderGone);
        consumers.keySet().removeIf(isConsumerGone);
        if (size() < before) {
            rewrite();
        }
    }

    private static ObjectNode line(UUID provider, Described read) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("provider", provider.toString()).put("generation", read.generation());
        ObjectNode inventories = line.putObject("inventories");
        read.inventories().forEach((name, inventory) -> inventory.render(inventories.putObject(name)));
        read.traits().forEach(line.putArray("traits")::add);
        return line;
    }

    private static ObjectNode line(UUID consumer, Owned read) {
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
            // No line is lost if the process is killed; compared with the request before, the flush costs nothing.
            lines.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write %s: %s; make room, or name another file with --journal".formatted(
                    file, e.getMessage()), e);
        }
    }

    /** Rewrites the file without outdated lines, and appends to it from then on. */
    private void begin() throws IOException {
        Path anew = file.resolveSibling(file.getFileName() + ".new");
        lines = Files.newBufferedWriter(anew);
        write(JsonNodeFactory.instance.objectNode().put("service", service).put("berth", isBerth));
        providers.forEach((uuid, read) -> write(line(uuid, read)));
        consumers.forEach((uuid, read) -> write(line(uuid, read)));
        lines.close();
        Files.move(anew, file, StandardCopyOption.REPLACE_EXISTING);
        lines = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }

    private void load() throws IOException {
        try (var read = Files.lines(file)) {
            boolean isFirst = true;
            for (String line : (Iterable<String>) read::iterator) {
                JsonNode node = parse(line);
                if (isFirst && !node.path("service").asText().equals(service)) {
                    return;
                }
                isBerth = isFirst && node.path("berth").isBoolean() ? Boolean.valueOf(node.path("berth").asBoolean()) : isBerth;
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
                    new Described(generation, inventories, traits));
        } else if (node.has("consumer")) {
            consumers.put(UUID.fromString(node.path("consumer").asText()), new Owned(generation,
                    node.path("project").asText().intern(), node.path("user").asText().intern(),
                    node.path("type").asText().intern()));
        }
    }

    /** Returns a missing node for a line that an interruption truncated. */
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
