package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.text.UuidForm;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.ProviderReport;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.http.PlacementVocabulary;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.placement.http.ResourceProviders.Part;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Changes one resource provider in placement. A provider has three parts: traits, aggregates and inventories. Reads one
 * after the other those that the {@link ProviderUpdate} concerns, and writes a part that differs from the wanted
 * values, with the generation that was read. After a conflict with a concurrent writer, repeats the read and the write
 * of this part, {@value #ATTEMPTS_MAX} attempts in all.
 */
@Singleton
class ProviderSync {
    private static final Logger LOG = Logger.getLogger(ProviderSync.class);
    private static final int ATTEMPTS_MAX = 4;
    /** The pause before repetition n (the first is 1) is random between 1 ms and n times this, in milliseconds. */
    private static final int BACK_OFF_STEP_MS = 100;
    private static final String CUSTOM = "CUSTOM_";
    private static final String GENERATION = "resource_provider_generation";
    private static final ProviderResult NOTHING_TO_DO =
            new ProviderResult.Done(JsonNodeFactory.instance.objectNode());

    private final ResourceProviders providers;
    private final PlacementVocabulary vocabulary;
    private final InventoryOptions options;

    ProviderSync(ResourceProviders providers, PlacementVocabulary vocabulary, ConfiguredOptions configured) {
        this.providers = providers;
        this.vocabulary = vocabulary;
        this.options = configured.options().defaults().inventory();
    }

    /**
     * Writes the update's parts one after the other, until one has another result than Done; returns this result, or
     * Done. Creates a missing provider if the update has inventories.
     */
    Uni<ProviderResult> sync(ProviderUpdate update, String requestId) {
        return syncParts(update, requestId).chain(answer -> {
            if (!(answer instanceof ProviderResult.Absent) || !update.concernsInventories()) {
                return Uni.createFrom().item(answer);
            }
            return providers.create(update.provider(), update.name(), requestId)
                    .chain(result -> ifDone(result, () -> syncParts(update, requestId)));
        });
    }

    /**
     * Writes the update of an existing provider. Writes traits before inventories, so that a disabled host never has
     * inventories without the trait {@value DesiredTraits#DISABLED}.
     */
    private Uni<ProviderResult> syncParts(ProviderUpdate update, String requestId) {
        List<Supplier<Uni<ProviderResult>>> steps = new ArrayList<>();
        if (update.isIndeterminate()) {
            steps.add(() -> advanceGeneration(update, requestId));
        }
        if (update.concernsTraits()) {
            steps.add(() -> syncTraits(update, requestId));
        }
        if (update.concernsAggregates()) {
            steps.add(() -> syncAggregates(update, requestId));
        }
        ProviderReport report = update.report();
        if (report != null && report.inventories() != null) {
            steps.add(() -> syncInventories(update, report, requestId));
        }
        return inSequence(steps);
    }

    /**
     * Increments the provider's generation, so that a write of an earlier attempt cannot commit any more. Writes the
     * current aggregates, because a PUT of aggregates increments the generation even if nothing changes; a PUT of
     * unchanged traits does not.
     */
    private Uni<ProviderResult> advanceGeneration(ProviderUpdate update, String requestId) {
        return withRetries(() -> read(update, Part.AGGREGATES, requestId, readJson -> {
            ObjectNode body = body(readJson);
            body.set("aggregates", readJson.path("aggregates"));
            return write(update, Part.AGGREGATES, body, requestId);
        }));
    }

    private Uni<ProviderResult> syncTraits(ProviderUpdate update, String requestId) {
        return withRetries(() -> read(update, Part.TRAITS, requestId, readJson -> {
            Set<String> presentValues = texts(readJson.path("traits"));
            Set<String> wantedValues = DesiredTraits.of(
                    presentValues, update.disabled(), update.report() == null ? null : update.report().traits());
            return wantedValues.equals(presentValues)
                    ? Uni.createFrom().item(NOTHING_TO_DO)
                    : ensureCustomNames(wantedValues, presentValues, name -> providers.ensureTrait(name, requestId))
                            .chain(result -> ifDone(
                                    result, () -> writeTraits(update, readJson, wantedValues, requestId)))
                            .chain(answer -> answer instanceof ProviderResult.Refused(int status, _) && status == 400
                                    ? writeKnownTraits(update, readJson, wantedValues, answer, requestId)
                                    : Uni.createFrom().item(answer));
        }));
    }

    private Uni<ProviderResult> writeTraits(
            ProviderUpdate update, JsonNode readJson, Set<String> wantedValues, String requestId) {
        ObjectNode body = body(readJson);
        ArrayNode list = body.putArray("traits");
        wantedValues.forEach(list::add);
        return write(update, Part.TRAITS, body, requestId);
    }

    /**
     * Writes only the traits that placement knows, after it refused the whole list (400). An older Placement may lack a
     * standard trait; the other traits are to be written nevertheless.
     *
     * @param refused the result to return if placement knows all wanted traits, or its traits cannot be read
     */
    private Uni<ProviderResult> writeKnownTraits(
            ProviderUpdate update, JsonNode readJson, Set<String> wantedValues, ProviderResult refused,
            String requestId) {
        return vocabulary.traits(requestId).chain(knownNames -> {
            Set<String> unknownNames = new TreeSet<>(wantedValues);
            unknownNames.removeAll(knownNames);
            if (knownNames.isEmpty() || unknownNames.isEmpty()) {
                return Uni.createFrom().item(refused);
            }
            Set<String> knownTraits = new TreeSet<>(wantedValues);
            knownTraits.retainAll(knownNames);
            return writeTraits(update, readJson, knownTraits, requestId).invoke(answer -> {
                if (answer instanceof ProviderResult.Done) {
                    LOG.warnf(
                            "traits left out that placement does not know host=%s provider=%s traits=%s",
                            update.name(), update.provider(), unknownNames);
                }
            });
        });
    }

    private Uni<ProviderResult> syncAggregates(ProviderUpdate update, String requestId) {
        return withRetries(() -> read(update, Part.AGGREGATES, requestId, readJson -> {
            // Keys are uuids in canonical form, values are the same uuids as other clients wrote them.
            Map<String, String> presentValues = new TreeMap<>();
            for (String text : texts(readJson.path("aggregates"))) {
                presentValues.put(UuidForm.findDigits(text).map(UUID::toString).orElse(text), text);
            }
            Map<String, String> wantedValues = new TreeMap<>(presentValues);
            update.leftAggregates().stream().map(UUID::toString).forEach(wantedValues::remove);
            update.joinedAggregates().stream().map(UUID::toString)
                    .forEach(uuid -> wantedValues.putIfAbsent(uuid, uuid));
            if (wantedValues.equals(presentValues)) {
                return Uni.createFrom().item(NOTHING_TO_DO);
            }
            ObjectNode body = body(readJson);
            ArrayNode list = body.putArray("aggregates");
            wantedValues.values().forEach(list::add);
            return write(update, Part.AGGREGATES, body, requestId);
        }));
    }

    private Uni<ProviderResult> syncInventories(ProviderUpdate update, ProviderReport report, String requestId) {
        return withRetries(() -> read(update, Part.INVENTORIES, requestId, readJson -> {
            Map<String, Inventory> presentValues = new LinkedHashMap<>();
            readJson.path("inventories").properties().forEach(
                    member -> presentValues.put(member.getKey(), Inventory.read(member.getValue())));
            Map<String, Inventory> wantedValues = DesiredInventories.of(presentValues, report, options);
            if (wantedValues.equals(presentValues)) {
                return Uni.createFrom().item(NOTHING_TO_DO);
            }
            ObjectNode body = body(readJson);
            ObjectNode members = body.putObject("inventories");
            wantedValues.forEach((resourceClass, inventory) -> inventory.render(members.putObject(resourceClass)));
            return ensureCustomNames(
                    wantedValues.keySet(), presentValues.keySet(),
                    name -> providers.ensureResourceClass(name, requestId))
                    .chain(result -> ifDone(result, () -> write(update, Part.INVENTORIES, body, requestId)));
        }));
    }

    /** Reads a part of the provider and applies the edit; returns the result of the read if the read failed. */
    private Uni<ProviderResult> read(ProviderUpdate update, Part part, String requestId, Edit edit) {
        return providers.read(update.provider(), part, requestId).chain(
                answer -> answer instanceof ProviderResult.Done(JsonNode readJson)
                        ? edit.apply(readJson)
                        : Uni.createFrom().item(answer));
    }

    private Uni<ProviderResult> write(ProviderUpdate update, Part part, ObjectNode body, String requestId) {
        return providers.write(update.provider(), part, body, requestId);
    }

    /**
     * Creates the wanted custom traits or resource classes that the provider lacks, because placement may not know
     * them.
     */
    private static Uni<ProviderResult> ensureCustomNames(
            Set<String> wantedValues, Set<String> presentValues, Naming ensure) {
        List<Supplier<Uni<ProviderResult>>> steps = new ArrayList<>();
        for (String name : wantedValues) {
            if (name.startsWith(CUSTOM) && !presentValues.contains(name)) {
                steps.add(() -> ensure.apply(name));
            }
        }
        return inSequence(steps);
    }

    /** Runs the steps in order until one has a result other than Done; returns that result, or Done. */
    private static Uni<ProviderResult> inSequence(List<Supplier<Uni<ProviderResult>>> steps) {
        return Multi.createFrom().iterable(steps)
                .onItem().transformToUniAndConcatenate(Supplier::get)
                .select().where(answer -> !(answer instanceof ProviderResult.Done))
                .toUni()
                .onItem().ifNull().continueWith(NOTHING_TO_DO);
    }

    /**
     * Repeats the attempt after a {@link ProviderResult.GenerationConflict}, with random pauses whose maximum
     * increases; {@value #ATTEMPTS_MAX} attempts in all.
     */
    private static Uni<ProviderResult> withRetries(Supplier<Uni<ProviderResult>> attempt) {
        return Multi.createFrom().range(0, ATTEMPTS_MAX)
                .onItem().transformToUniAndConcatenate(n -> pauseBefore(n).chain(attempt::get))
                .select().where(answer -> !(answer instanceof ProviderResult.GenerationConflict))
                .toUni()
                .onItem().ifNull().continueWith(() -> new ProviderResult.GenerationConflict(
                        "other clients changed the provider during all " + ATTEMPTS_MAX + " attempts"));
    }

    private static Uni<Void> pauseBefore(int attempt) {
        if (attempt == 0) {
            return Uni.createFrom().voidItem();
        }
        int waitMs = 1 + ThreadLocalRandom.current().nextInt(BACK_OFF_STEP_MS * attempt);
        return Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(waitMs));
    }

    private static Uni<ProviderResult> ifDone(ProviderResult answer, Supplier<Uni<ProviderResult>> next) {
        return answer instanceof ProviderResult.Done ? next.get() : Uni.createFrom().item(answer);
    }

    /** Returns a body for a PUT that has only the generation that was read. */
    private static ObjectNode body(JsonNode readJson) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set(GENERATION, readJson.path(GENERATION));
        return body;
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new TreeSet<>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    private interface Edit {
        Uni<ProviderResult> apply(JsonNode readJson);
    }

    private interface Naming {
        Uni<ProviderResult> apply(String name);
    }
}
