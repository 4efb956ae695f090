package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the error for a body that is not JSON has the position and reason, and no names from the parser. */
class JsonTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"a\":         | it ends too early (line 1,",
        "not json        | unexpected text (line 1,",
        "{\"a\":01}      | unexpected text (line 1,",
        "{} {}           | there is text after the value",
        "{\"a\":\"\\x\"} | unexpected text (line 1,"})
    void reportsPositionAndReason(String body, String why) {
        assertError(body, why);
    }

    @Test
    void reportsTheLimitThatWasExceeded() {
        assertError("[".repeat(65), "it is nested deeper than 64");
        assertError("1".repeat(101), "a number, a name or a text is too long");
        assertError("[" + "1,".repeat(700_000) + "1]", "it has more than 700000 names, values and brackets");
    }

    private static void assertError(String body, String why) {
        assertThatThrownBy(() -> Json.parse(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("Malformed JSON: " + why)
                .message()
                .doesNotContainIgnoringCase("jackson")
                .doesNotContain("Stream", "Source", "Parser", "(was ", "JsonToken", "StreamRead");
    }
}
