package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A server group with its members and reservations.
 *
 * @param name null if the record has none
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity; for a group that is not registered, the
 *     policy that requests stated, or null if they stated none
 * @param maxServerPerHost maximum members per host for anti-affinity; null: 1
 * @param members uuids of instances in canonical form
 * @param isRegistered false if the group has no record, and is known from requests for its members
 * @param reservations reservations of members on hosts that they are about to claim, and on hosts that they leave
 */
public record ServerGroup(
        UUID uuid,
        @Nullable String name,
        @Nullable String policy,
        @Nullable Integer maxServerPerHost,
        Set<String> members,
        boolean isRegistered,
        List<Reservation> reservations)
        implements RegistryRecord {
    private static final Set<String> POLICIES =
            Set.of("affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity");

    /**
     * A reservation of a member on a host.
     *
     * @param holder key of the request to place the instance, or of the move, that releases the reservation
     * @param consumer consumer of the allocations on the host that a moving member leaves; null if this is not the
     *     reservation on that host
     * @param providers providers of these allocations; empty if {@code consumer} is null
     */
    public record Reservation(
            UUID instance,
            String host,
            String holder,
            @Nullable UUID consumer,
            List<String> providers) {
        private static Reservation read(StrictObject reservation) {
            // Earlier versions of Berth wrote this member. It is ignored: members are counted per host, not per node.
            reservation.text("nodename");
            return new Reservation(
                    reservation.requiredUuid("instance"),
                    reservation.requiredText("host"),
                    reservation.requiredText("holder"),
                    reservation.uuid("consumer"),
                    reservation.texts("providers"));
        }
    }

    /** Reads a group from a request body, which has no reservations. */
    static ServerGroup read(UUID uuid, StrictObject body) {
        return read(uuid, body, body.oneOf("policy", POLICIES), true, List.of());
    }

    /** Reads a group, registered or not, with its reservations from the view {@code server_groups_in_use}. */
    static ServerGroup readWithReservations(UUID uuid, StrictObject body) {
        boolean registered = body.flag("registered", true);
        String policy = registered ? body.oneOf("policy", POLICIES) : body.text("policy");
        return read(uuid, body, policy, registered, body.objects("reservations", Reservation::read));
    }

    private static ServerGroup read(
            UUID uuid, StrictObject body, @Nullable String policy, boolean registered, List<Reservation> reservations) {
        String name = body.text("name");
        Integer maxServerPerHost = body.object("rules", rules -> rules.positive("max_server_per_host"));
        // Decisions do not use these members; reading them permits them in a body.
        body.text("project_id");
        body.text("user_id");
        return new ServerGroup(
                uuid, name, policy, maxServerPerHost, Set.copyOf(body.uuidTexts("members")), registered, reservations);
    }
}
