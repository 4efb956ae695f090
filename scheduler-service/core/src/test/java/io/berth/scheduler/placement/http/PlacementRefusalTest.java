package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the parsing of error responses of placement. */
class PlacementRefusalTest {
    @Test
    void recognizesObjectsWithAListOfErrors() {
        for (String body : List.of("{\"errors\":[]}", "{\"a\":{\"errors\":1},\"b\":[[]],\"errors\":[{")) {
            assertThat(PlacementRefusal.isErrorBody(body.getBytes(StandardCharsets.UTF_8))).as(body).isTrue();
        }
        for (String body : List.of(
                "", "{}", "[]", "<html>", "\"errors\"", "[{\"errors\":[]}]", "{\"errors\":\"x\"}",
                "{\"a\":{\"errors\":[]}}", "{\"a\"")) {
            assertThat(PlacementRefusal.isErrorBody(body.getBytes(StandardCharsets.UTF_8))).as(body).isFalse();
        }
    }

    @Test
    void rendersTheDetailOnOneLine() {
        String body = """
                {"errors": [{"status": 400, "code": "placement.undefined_code",
                    "detail": "The server could not comply.\\n\\n  No such trait(s): CUSTOM_A.  \\r\\n "}]}""";
        assertThat(PlacementRefusal.parse(body.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new PlacementRefusal(
                        "placement.undefined_code", "The server could not comply. No such trait(s): CUSTOM_A.", null));
    }

    @Test
    void usesTheFirstErrorAfterOtherMembers() {
        String body = """
                {"links": {"rel": "x"}, "errors": [{"code": "first", "detail": "a", "links": [{"code": "no"}]},
                    {"code": "second", "detail": "b", "fence": 7}]}""";
        assertThat(PlacementRefusal.parse(body.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new PlacementRefusal("first", "a", null));
        assertThat(PlacementRefusal.parse("{\"errors\":[]}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new PlacementRefusal("", "", null));
    }
}
