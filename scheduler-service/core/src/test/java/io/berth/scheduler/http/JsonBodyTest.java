package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the errors for a body that is not JSON: they name the place and the cause, and no part of the parser. */
class JsonBodyTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"a\":          | it ends too early (line 1,",
        "not json         | unexpected text (line 1,",
        "{\"a\":1,\"a\":2} | a member occurs twice (line 1, column 11)",
        "{\"a\":01}       | unexpected text (line 1,",
        "{} {}            | there is text after the value",
        "{\"a\":\"\\x\"}  | unexpected text (line 1,"})
    void reportsPlaceAndCause(String body, String why) {
        assertComplaint(body, why);
    }

    @Test
    void reportsTheLimitThatWasExceeded() {
        assertComplaint("[".repeat(101), "it is nested deeper than 100");
        assertComplaint("1".repeat(101), "a number, a name or a text is too long");
        assertComplaint("{\"" + "n".repeat(1_021) + "\":1}", "a number, a name or a text is too long");
    }

    @Test
    void refusesBodiesWithTooManyValues() {
        String items = "{},".repeat(100_000) + "0";
        assertThatThrownBy(() -> JsonBody.ofRequest(("[" + items + "]").getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(ApiFault.class,
                        fault -> assertThat(fault.error().code()).isEqualTo(ErrorCode.BODY_TOO_LARGE))
                .hasMessage("the body has more than 175000 names, values and brackets: send less at a time");
        JsonBody.ofLargeRequest(("[" + items + "]").getBytes(StandardCharsets.UTF_8));
    }

    private static void assertComplaint(String body, String why) {
        assertThatThrownBy(() -> JsonBody.ofRequest(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ApiFault.class)
                .hasMessageStartingWith("the body is not JSON: " + why)
                .message()
                .doesNotContainIgnoringCase("jackson")
                .doesNotContain("Stream", "Source", "Parser", "(was ", "JsonToken", "StreamRead");
    }

    /**
     * A path for each element would be copied each time and take gigabytes; parsing takes a few times the size of the
     * body.
     */
    @Test
    void parsesLongNestedNamesWithoutAPathPerElement() {
        String name = "n".repeat(1_000);
        String text = ("{\"" + name + "\":").repeat(40) + "[" + "\"\",".repeat(10_000) + "\"\"]" + "}".repeat(40);
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        JsonBody.ofRequest(body);
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isPositive().isLessThan(1_000L * body.length);
    }

    @Test
    void reportsThePathOfATextThatCannotBeStored() {
        assertThatThrownBy(() -> JsonBody.ofRequest("{\"a\":[1,{\"b\":\"\\u0000\"}]}".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("$.a[1].b: must not contain NUL or an unpaired surrogate");
        assertThatThrownBy(() -> JsonBody.ofRequest("{\"a\":{\"\\u0000\":1}}".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("$.a: a name must not contain NUL or an unpaired surrogate");
    }
}
