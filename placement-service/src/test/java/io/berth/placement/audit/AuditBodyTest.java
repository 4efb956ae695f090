package io.berth.placement.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.placement.http.ApiException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parser of audit requests: the kind unknown_consumer and the list of known consumers require each other. */
class AuditBodyTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "{\"known_consumers\": []}                                                 | -",
        "{\"known_consumers\": [], \"kinds\": [\"unknown_consumer\"]}                | -",
        "{\"known_consumers\": [], \"kinds\": [\"used_differs\"]}                    | omit known_consumers",
        "{\"kinds\": [\"used_differs\"]}                                           | -",
        "{\"kinds\": [\"unknown_consumer\"]}                          | unknown_consumer needs known_consumers",
        "{\"known_until\": \"00000000-0000-0000-0000-000000000001\"}   | a range without known_consumers"})
    void requiresBothTheListAndItsKind(String body, String refusal) {
        if (refusal == null) {
            assertThat(parse(body)).isNotNull();
        } else {
            assertThatThrownBy(() -> parse(body)).isInstanceOf(ApiException.class).hasMessageContaining(refusal);
        }
    }

    private static AuditRequest parse(String body) {
        return AuditBody.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
