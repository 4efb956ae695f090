package io.berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which PostgreSQL server is accepted as the current primary. */
class CurrentPrimaryTest {
    private final CurrentPrimary primary = new CurrentPrimary();

    private String admit(EmbeddedChannel connection, long systemId, long timeline, String started) {
        return primary.admit(
                new CurrentPrimary.Server(systemId, timeline, started), connection.pipeline().firstContext());
    }

    private static EmbeddedChannel connection() {
        return new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    }

    @ParameterizedTest(name = "{0}: admitted={4}, the one before stays={5}")
    @CsvSource({
        "the same server,           7, 2, 100, true,  true",
        "promoted,                  7, 3, 50,  true,  false",
        "restarted,                 7, 2, 200, true,  false",
        "a clock that was set back, 7, 2, 50,  true,  false",
        "the old primary,           7, 1, 200, false, true",
        "another cluster,           8, 1, 50,  true,  false"})
    void comparesWithThePreviousServer(
            String name, long systemId, long timeline, String started, boolean isAdmitted, boolean staysBefore) {
        EmbeddedChannel before = connection();
        EmbeddedChannel next = connection();
        assertThat(admit(before, 7, 2, "100")).isNull();
        String refusal = admit(next, systemId, timeline, started);
        assertThat(refusal == null).isEqualTo(isAdmitted);
        assertThat(before.isOpen()).isEqualTo(staysBefore);
        assertThat(next.isOpen()).isTrue();
    }

    @Test
    void refusesTheOldPrimaryWithBothTimelines() {
        admit(connection(), 7, 2, "100");
        assertThat(admit(connection(), 7, 1, "100")).startsWith("is an old primary (timeline 1, timeline 2 was seen)");
        assertThat(admit(connection(), 7, 2, "100")).isNull();
    }

    @Test
    void forgetsConnectionsThatAreClosed() {
        EmbeddedChannel gone = connection();
        EmbeddedChannel there = connection();
        admit(gone, 7, 2, "100");
        admit(there, 7, 2, "100");
        gone.close();
        admit(connection(), 7, 3, "200");
        assertThat(there.isOpen()).isFalse();
    }
}
