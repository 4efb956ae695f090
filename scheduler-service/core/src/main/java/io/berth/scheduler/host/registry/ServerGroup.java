package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A group of instances that are to be placed together or apart.
 *
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity; for a group that is not registered, any
 *     policy from requests, or null
 * @param maxServerPerHost null for the policy's default
 * @param members instance uuids as text
 * @param isRegistered false for a group that is only known from requests
 * @param reservations reservations on hosts that members are about to claim, or may return to when a move is reverted
 */
public record ServerGroup(
        UUID uuid,
        String name,
        String policy,
        Integer maxServerPerHost,
        Set<String> members,
        boolean isRegistered,
        List<Reservation> reservations)
        implements RegistryRecord {
    private static final Set<String> POLICIES =
            Set.of("affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity");

    /**
     * A reservation of a member.
     *
     * @param holder key of the record that releases it
     * @param consumer for a source reservation, the consumer of the allocations there; else null
     * @param providers the providers of these allocations
     */
    public record Reservation(
            UUID instance,
            String host,
            String holder,
            @Nullable UUID consumer,
            List<String> providers) {
        private static Reservation read(StrictObject reservation) {
            // An earlier version wrote this member; nodes are not counted separately.
            reservation.text("nodename");
            return new Reservation(
                    reservation.uuid("instance"),
                    reservation.text("host"),
                    reservation.text("holder"),
                    reservation.uuid("consumer"),
                    reservation.texts("providers"));
        }
    }

    /** Reads a group as an operator writes it. */
    static ServerGroup read(UUID uuid, StrictObject body) {
        return read(uuid, body, body.oneOf("policy", POLICIES), true, List.of());
    }

    /** Reads a group from the view {@code server_groups_in_use}. */
    static ServerGroup readSeated(UUID uuid, StrictObject body) {
        boolean registered = body.flag("registered", true);
        String policy = registered ? body.oneOf("policy", POLICIES) : body.text("policy");
        return read(uuid, body, policy, registered, body.objects("reservations", Reservation::read));
    }

    private static ServerGroup read(
            UUID uuid, StrictObject body, String policy, boolean registered, List<Reservation> reservations) {
        String name = body.text("name");
        Integer max = body.object("rules", rules -> rules.positive("max_server_per_host"));
        body.text("project_id");
        body.text("user_id");
        return new ServerGroup(
                uuid, name, policy, max, Set.copyOf(body.uuidTexts("members")), registered, reservations);
    }
}
