package io.berth.scheduler.nova.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of transport URLs. */
class TransportUrlTest {
    @Test
    void readsSeveralHosts() {
        TransportUrl url = TransportUrl.parse("rabbit://nova:p%40ss+@mq1:5673,other:x@[::1],mq3/cloud%2Fone?ssl=1");
        assertThat(url.virtualHost()).isEqualTo("cloud/one");
        assertThat(url.tls()).isTrue();
        assertThat(url.brokers()).containsExactly(
                new TransportUrl.Broker("mq1", 5673, "nova", "p@ss+"),
                new TransportUrl.Broker("::1", 5671, "other", "x"),
                new TransportUrl.Broker("mq3", 5671, "guest", "guest"));
        assertThat(url.toString()).doesNotContain("p@ss");
    }

    @ParameterizedTest
    @CsvSource({"rabbit://u:p@h, /", "rabbit://u:p@h/, /", "rabbit://u:p@h//, /", "rabbit://u:p@h/nova, nova"})
    void readsTheVirtualHostFromThePath(String text, String expected) {
        assertThat(TransportUrl.parse(text).virtualHost()).isEqualTo(expected);
        assertThat(TransportUrl.parse(text).brokers().getFirst().port()).isEqualTo(5672);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "mq1", "amqp://u:SECRET@h/", "rabbit://u:SECRET@", "rabbit://u:SECRET@h:99999/", "rabbit://u:SECRET%zz@h/",
        "rabbit://u:SECRET@h,/", "rabbit://u:SECRET@h:port/"})
    void refusesAMalformedUrlWithoutShowingItsPassword(String text) {
        assertThatThrownBy(() -> TransportUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("berth.nova.transport-url")
                .hasMessageNotContaining("SECRET");
    }
}
