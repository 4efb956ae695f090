package io.berth.scheduler.host.registry.instance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Resolves a path segment or parameter that is the uuid or the name of an instance. */
public final class NameLookup {
    /** Maximum instances that the error (409) for an ambiguous name lists. */
    public static final int CANDIDATES_MAX = 20;

    private NameLookup() {}

    /**
     * Returns the uuid of the instance. A uuid is returned without checking that the instance exists. Fails with
     * ApiFault: 404 if no instance has the name, 409 with the instances if several have the name.
     *
     * @param find returns the instances with a name, like {@link InstanceNames#find}
     * @param searched describes the instances among which {@code find} searches, such as "registered", for the error
     *     404
     */
    public static Uni<UUID> uuidOf(
            String uuidOrName, Function<String, Uni<List<NamedInstance>>> find, String searched) {
        UUID uuid = Uuids.find(uuidOrName);
        return uuid != null
                ? Uni.createFrom().item(uuid)
                // PostgreSQL cannot store NUL, so no instance has such a name.
                : (uuidOrName.indexOf(0) >= 0
                        ? Uni.createFrom().item(List.<NamedInstance>of())
                        : find.apply(uuidOrName))
                        .map(found -> requireOne(uuidOrName, found, searched));
    }

    private static UUID requireOne(String name, List<NamedInstance> found, String searched) {
        return switch (found.size()) {
            case 0 -> throw ApiFault.notFound("no instance is %s under the name %s".formatted(searched, name));
            case 1 -> found.getFirst().uuid();
            default -> throw ambiguous(name, found);
        };
    }

    private static ApiFault ambiguous(String name, List<NamedInstance> found) {
        List<NamedInstance> listed = found.subList(0, Math.min(found.size(), CANDIDATES_MAX));
        ArrayNode candidates = JsonNodeFactory.instance.arrayNode();
        listed.forEach(each -> candidates.addObject()
                .put("name", each.name())
                .put("uuid", each.uuid().toString())
                .put("host", each.host()));
        String detail = listed.stream()
                .map(each -> each.uuid() + (each.host() == null ? "" : " on " + each.host()))
                .collect(Collectors.joining(", ", "several instances have the name " + name + ": ",
                        found.size() > listed.size() ? " and more; send the uuid" : "; send the uuid"));
        return new ApiFault(ApiError.ambiguous(detail, candidates.toString()));
    }
}
