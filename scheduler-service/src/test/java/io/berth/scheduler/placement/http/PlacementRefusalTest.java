package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlacementRefusalTest {
    @Test
    void putsItsTextOnOneLine() {
        String body = """
                {"errors": [{"status": 400, "code": "placement.undefined_code",
                    "detail": "The server could not comply.\\n\\n  No such trait(s): CUSTOM_A.  \\r\\n "}]}""";
        assertThat(PlacementRefusal.parse(body.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new PlacementRefusal(
                        "placement.undefined_code", "The server could not comply. No such trait(s): CUSTOM_A."));
    }
}
