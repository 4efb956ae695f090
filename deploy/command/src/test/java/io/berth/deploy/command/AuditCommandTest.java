package io.berth.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditCommandTest {
    @Test
    void aListTooLongForOneQuestionGoesInRangesThatLeaveNobodyOut() {
        assertThat(AuditCommand.bodies(List.of("a", "b", "c", "d", "e"), List.of("all"), 2)).map(Object::toString).containsExactly(
                "{\"known_consumers\":[\"a\",\"b\"],\"known_until\":\"c\",\"apply\":\"all\"}",
                "{\"kinds\":[\"unknown_consumer\"],\"known_from\":\"c\",\"known_consumers\":[\"c\",\"d\"],"
                        + "\"known_until\":\"e\",\"apply\":\"all\"}",
                "{\"kinds\":[\"unknown_consumer\"],\"known_from\":\"e\",\"known_consumers\":[\"e\"],\"apply\":\"all\"}");
        assertThat(AuditCommand.bodies(List.of("a", "b"), List.of(), 2)).map(Object::toString)
                .containsExactly("{\"known_consumers\":[\"a\",\"b\"]}");
        assertThat(AuditCommand.bodies(null, List.of(), 2)).map(Object::toString).containsExactly("{}");
    }

    @Test
    void offersToTakeBackOnlyWhatWasHealed() throws Exception {
        assertThat(healed("{\"id\": null, \"healed\": [], \"skipped\": [{}]}")).isEqualTo("healed: 0 findings, skipped: 1\n");
        assertThat(healed("{\"id\": \"a-1\", \"healed\": [], \"skipped\": []}"))
                .isEqualTo("healed: 0 findings, skipped: 0; berth audit --undo a-1 takes it back\n");
    }

    private static String healed(String body) throws Exception {
        JsonNode answer = new ObjectMapper().readTree(body);
        var said = new StringWriter();
        AuditCommand.print(new PrintWriter(said, true), true, answer.path("healed"), answer);
        return said.toString();
    }
}
