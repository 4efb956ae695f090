package io.berth.scheduler.groupreservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.GroupReservation;
import io.berth.scheduler.claim.GroupReservation.Result;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that a reservation that a host refused is not requested again for the same request. */
class RefusedReservationsTest {
    private static final Result.Refused FULL = new Result.Refused("full", false);

    private final RefusedReservations refusals = new RefusedReservations();
    private final List<String> requestedHosts = new ArrayList<>();
    private Map<String, Result> group =
            Map.of("full", FULL, "wrong", new Result.Refused("elsewhere", true));

    /** Reserves for one more instance of the request. */
    private Result take(String host) {
        return take(UUID.randomUUID(), host);
    }

    private Result take(UUID instance, String host) {
        GroupReservation<String> groupReservation = at -> {
            requestedHosts.add(at);
            return Uni.createFrom().item(group.getOrDefault(at, new Result.Reserved()));
        };
        return refusals.rememberingRefusals(instance, groupReservation, at -> at).reserve(host).await().indefinitely();
    }

    @Test
    void requestsAFullHostOnce() {
        assertThat(take("full")).isEqualTo(FULL);
        assertThat(take("full")).isEqualTo(FULL);
        assertThat(take("free")).isEqualTo(new Result.Reserved());
        assertThat(take("free")).isEqualTo(new Result.Reserved());
        assertThat(requestedHosts).containsExactly("full", "free", "free");
    }

    @Test
    void requestsAgainIfTheGroupWasElsewhere() {
        take("wrong");
        take("wrong");
        assertThat(requestedHosts).containsExactly("wrong", "wrong");
    }

    @Test
    void requestsForAnInstanceThatAlreadyHasAReservation() {
        Map<String, Result> changing = new HashMap<>();
        group = changing;
        UUID first = UUID.randomUUID();
        take(first, "host");
        changing.put("host", FULL);
        assertThat(take("host")).isEqualTo(FULL);
        changing.remove("host");
        assertThat(take(first, "host")).isEqualTo(new Result.Reserved());
        assertThat(take("host")).isEqualTo(FULL);
        assertThat(requestedHosts).containsExactly("host", "host", "host");
    }
}
