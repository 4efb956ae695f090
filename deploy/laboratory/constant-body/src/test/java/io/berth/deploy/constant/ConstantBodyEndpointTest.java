package io.berth.deploy.constant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the endpoint that returns a body of constant size. */
class ConstantBodyEndpointTest {
    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {-1, 0, 67_108_865})
    void refusesASizeThatIsOutOfRange(int bytes) {
        assertThatThrownBy(() -> new ConstantBodyEndpoint(() -> bytes))
                .hasMessage("berth.constant-body.bytes must be 1 to 67108864, not " + bytes);
    }

    @Test
    void returnsTheSameArrayEveryTime() {
        var endpoint = new ConstantBodyEndpoint(() -> 5);
        assertThat(endpoint.get()).hasSize(5).isSameAs(endpoint.get());
    }
}
