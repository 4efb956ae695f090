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
 * @param seats reservations on hosts that members are about to claim, or may go back to
 */
public record ServerGroup(
        UUID uuid,
        String name,
        String policy,
        Integer maxServerPerHost,
        Set<String> members,
        boolean isRegistered,
        List<Seat> seats)
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
    public record Seat(
            UUID instance,
            String host,
            String holder,
            @Nullable UUID consumer,
            List<String> providers) {
        private static Seat read(StrictObject seat) {
            // An earlier version wrote this member; nodes are not counted separately.
            seat.text("nodename");
            return new Seat(
                    seat.uuid("instance"),
                    seat.text("host"),
                    seat.text("holder"),
                    seat.uuid("consumer"),
                    seat.texts("providers"));
        }
    }

    /** Reads a group as an operator writes it. */
    static ServerGroup read(UUID uuid, StrictObject body) {
        return read(uuid, body, body.oneOf("policy", POLICIES), true, List.of());
    }

    /** Reads a group from the view {@code server_groups_seated}. */
    static ServerGroup readSeated(UUID uuid, StrictObject body) {
        boolean registered = body.flag("registered", true);
        String policy = registered ? body.oneOf("policy", POLICIES) : body.text("policy");
        return read(uuid, body, policy, registered, body.objects("seats", Seat::read));
    }

    private static ServerGroup read(
            UUID uuid, StrictObject body, String policy, boolean registered, List<Seat> seats) {
        String name = body.text("name");
        Integer max = body.object("rules", rules -> rules.positive("max_server_per_host"));
        body.text("project_id");
        body.text("user_id");
        return new ServerGroup(
                uuid, name, policy, max, Set.copyOf(body.uuidTexts("members")), registered, seats);
    }
}
