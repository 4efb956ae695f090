package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.text.UuidForm;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.service.ConfiguredOptions;
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
 * Changes one resource provider in placement. For traits, aggregates and inventories each: reads the current values,
 * and, if they differ from the wanted values, writes these with the generation that was read. After a conflict with a
 * concurrent writer, repeats both, {@value #ATTEMPTS_MAX} times in all.
 */
@Singleton
class ProviderSync {
    private static final Logger LOG = Logger.getLogger(ProviderSync.class);
    private static final int ATTEMPTS_MAX = 4;
    /** Step of the pause before a repetition: a random time of up to 100 ms times the number of the repetition. */
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
     * Makes all changes, and returns the first result that is not Done, or Done. Creates a missing provider if the
     * change has inventories.
     */
    Uni<ProviderResult> bring(ProviderUpdate change, String requestId) {
        return parts(change, requestId).chain(answer -> {
            if (!(answer instanceof ProviderResult.Absent) || !change.concernsInventories()) {
                return Uni.createFrom().item(answer);
            }
            return providers.create(change.provider(), change.name(), requestId)
                    .chain(result -> ifDone(result, () -> parts(change, requestId)));
        });
    }

    /** Writes traits before inventories, so that a disabled host never has inventories without the trait. */
    private Uni<ProviderResult> parts(ProviderUpdate change, String requestId) {
        List<Supplier<Uni<ProviderResult>>> steps = new ArrayList<>();
        if (change.isIndeterminate()) {
            steps.add(() -> advanceGeneration(change, requestId));
        }
        if (change.concernsTraits()) {
            steps.add(() -> traits(change, requestId));
        }
        if (change.concernsAggregates()) {
            steps.add(() -> aggregates(change, requestId));
        }
        if (change.concernsInventories()) {
            steps.add(() -> inventories(change, requestId));
        }
        return inSequence(steps);
    }

    /**
     * Increments the provider's generation, so that an earlier write without a response cannot commit any more. Writes
     * the current aggregates, because a PUT of aggregates increments the generation even if nothing changes; a PUT of
     * traits does not.
     */
    private Uni<ProviderResult> advanceGeneration(ProviderUpdate change, String requestId) {
        return withRetries(() -> read(change, Part.AGGREGATES, requestId, held -> {
            ObjectNode body = body(held);
            body.set("aggregates", held.path("aggregates"));
            return write(change, Part.AGGREGATES, body, requestId);
        }));
    }

    private Uni<ProviderResult> traits(ProviderUpdate change, String requestId) {
        return withRetries(() -> read(change, Part.TRAITS, requestId, held -> {
            Set<String> present = texts(held.path("traits"));
            Set<String> wanted = DesiredTraits.of(
                    present, change.disabled(), change.report() == null ? null : change.report().traits());
            return wanted.equals(present)
                    ? Uni.createFrom().item(NOTHING_TO_DO)
                    : ensureCustomNames(wanted, present, name -> providers.ensureTrait(name, requestId))
                            .chain(result -> ifDone(result, () -> writeTraits(change, held, wanted, requestId)))
                            .chain(answer -> answer instanceof ProviderResult.Refused(int status, _) && status == 400
                                    ? knownTraits(change, held, wanted, answer, requestId)
                                    : Uni.createFrom().item(answer));
        }));
    }

    private Uni<ProviderResult> writeTraits(
            ProviderUpdate change, JsonNode held, Set<String> wanted, String requestId) {
        ObjectNode body = body(held);
        ArrayNode list = body.putArray("traits");
        wanted.forEach(list::add);
        return write(change, Part.TRAITS, body, requestId);
    }

    /**
     * Writes only the traits that placement knows, after it refused all of them: an older Placement may lack a standard
     * trait, and the others must be written anyway.
     */
    private Uni<ProviderResult> knownTraits(
            ProviderUpdate change, JsonNode held, Set<String> wanted, ProviderResult refused, String requestId) {
        return vocabulary.traits(requestId).chain(known -> {
            Set<String> unknown = new TreeSet<>(wanted);
            unknown.removeAll(known);
            if (known.isEmpty() || unknown.isEmpty()) {
                return Uni.createFrom().item(refused);
            }
            Set<String> rest = new TreeSet<>(wanted);
            rest.retainAll(known);
            return writeTraits(change, held, rest, requestId).invoke(answer -> {
                if (answer instanceof ProviderResult.Done) {
                    LOG.warnf(
                            "traits left out that placement does not know host=%s provider=%s traits=%s",
                            change.name(), change.provider(), unknown);
                }
            });
        });
    }

    private Uni<ProviderResult> aggregates(ProviderUpdate change, String requestId) {
        return withRetries(() -> read(change, Part.AGGREGATES, requestId, held -> {
            // Keys are uuids in canonical form, values are the same uuids as other clients wrote them.
            Map<String, String> present = new TreeMap<>();
            for (String text : texts(held.path("aggregates"))) {
                present.put(UuidForm.findDigits(text).map(UUID::toString).orElse(text), text);
            }
            Map<String, String> wanted = new TreeMap<>(present);
            change.left().stream().map(UUID::toString).forEach(wanted::remove);
            change.joined().stream().map(UUID::toString).forEach(uuid -> wanted.putIfAbsent(uuid, uuid));
            if (wanted.equals(present)) {
                return Uni.createFrom().item(NOTHING_TO_DO);
            }
            ObjectNode body = body(held);
            ArrayNode list = body.putArray("aggregates");
            wanted.values().forEach(list::add);
            return write(change, Part.AGGREGATES, body, requestId);
        }));
    }

    private Uni<ProviderResult> inventories(ProviderUpdate change, String requestId) {
        return withRetries(() -> read(change, Part.INVENTORIES, requestId, held -> {
            Map<String, Inventory> present = new LinkedHashMap<>();
            held.path("inventories").properties().forEach(
                    member -> present.put(member.getKey(), Inventory.read(member.getValue())));
            Map<String, Inventory> wanted = DesiredInventories.of(present, change.report(), options);
            if (wanted.equals(present)) {
                return Uni.createFrom().item(NOTHING_TO_DO);
            }
            ObjectNode body = body(held);
            ObjectNode members = body.putObject("inventories");
            wanted.forEach((resourceClass, inventory) -> inventory.render(members.putObject(resourceClass)));
            return ensureCustomNames(
                    wanted.keySet(), present.keySet(), name -> providers.ensureResourceClass(name, requestId))
                    .chain(result -> ifDone(result, () -> write(change, Part.INVENTORIES, body, requestId)));
        }));
    }

    /** Reads a part of the provider and applies the edit; returns the result of the read if it is not Done. */
    private Uni<ProviderResult> read(ProviderUpdate change, Part part, String requestId, Edit edit) {
        return providers.read(change.provider(), part, requestId).chain(
                answer -> answer instanceof ProviderResult.Done(JsonNode held)
                        ? edit.apply(held)
                        : Uni.createFrom().item(answer));
    }

    private Uni<ProviderResult> write(ProviderUpdate change, Part part, ObjectNode body, String requestId) {
        return providers.write(change.provider(), part, body, requestId);
    }

    /**
     * Creates the wanted custom traits or classes that the provider does not have, since placement may not know them.
     */
    private static Uni<ProviderResult> ensureCustomNames(Set<String> wanted, Set<String> present, Naming ensure) {
        List<Supplier<Uni<ProviderResult>>> steps = new ArrayList<>();
        for (String name : wanted) {
            if (name.startsWith(CUSTOM) && !present.contains(name)) {
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

    /** Repeats the attempt after conflicts ({@code Moved}), with increasing random pauses. */
    private static Uni<ProviderResult> withRetries(Supplier<Uni<ProviderResult>> attempt) {
        return Multi.createFrom().range(0, ATTEMPTS_MAX)
                .onItem().transformToUniAndConcatenate(n -> pauseBefore(n).chain(attempt::get))
                .select().where(answer -> !(answer instanceof ProviderResult.Moved))
                .toUni()
                .onItem().ifNull().continueWith(() -> new ProviderResult.Moved(
                        "others changed the provider during " + ATTEMPTS_MAX + " attempts"));
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

    /** Returns a body for a PUT with the generation that was read. */
    private static ObjectNode body(JsonNode held) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set(GENERATION, held.path(GENERATION));
        return body;
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new TreeSet<>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    private interface Edit {
        Uni<ProviderResult> apply(JsonNode held);
    }

    private interface Naming {
        Uni<ProviderResult> apply(String name);
    }
}
