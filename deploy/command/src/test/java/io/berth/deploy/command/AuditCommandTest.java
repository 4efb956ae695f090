package io.berth.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

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
}
