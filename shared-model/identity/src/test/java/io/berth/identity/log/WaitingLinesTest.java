package io.berth.identity.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.LogLines;
import io.berth.model.OperatorChange;
import java.time.Instant;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

/** Tests the lines of the request log and of changes, and the buffer that writes them. */
class WaitingLinesTest {
    private static RequestLine line(String target) {
        return new RequestLine(
                "127.0.0.1", "GET", target, 200, 17, "placement 1.39", "alice", "demo", "req-1", 1.25);
    }

    private static OperatorChange change(String what, String project, String old, String now) {
        return new OperatorChange(Instant.EPOCH, what, "alice", project, "req-1", old, now);
    }

    @Test
    void writesRequestLinesWithUserAndDuration() {
        assertThat(line("/traits?name=x")).hasToString("127.0.0.1 \"GET /traits?name=x\" status: 200 len: 17"
                + " microversion: 1.39 user: alice project: demo request_id: req-1 ms: 1.3");
        assertThat(new RequestLine(null, "PUT", "/", 0, 0, null, null, null, null, 2))
                .hasToString("- \"PUT /\" status: - len: 0 microversion: - user: - project: - request_id: - ms: 2.0");
        assertThat(line("/" + "a".repeat(100_000)).toString()).hasSizeLessThan(1_200).contains("aaa...\" status: 200");
    }

    @Test
    void logsWhoMadeAChangeAndTheOldValue() {
        assertThat(change("inventory VCPU of cmp1", "demo", "total 8", "total 16")).hasToString(
                "inventory VCPU of cmp1 changed user: alice project: demo request_id: req-1 old: total 8 new: total"
                        + " 16");
        assertThat(change("service s", "", "", "{}"))
                .hasToString("service s added user: alice project: - request_id: req-1 old: - new: {}");
        assertThat(change("service s", "", "{}", ""))
                .hasToString("service s removed user: alice project: - request_id: req-1 old: {} new: -");
        assertThat(change("service s", "", "a".repeat(100_000), "").toString())
                .hasSizeLessThan(4_300).endsWith("aaa... new: -");
    }

    @Test
    void countsDroppedLinesAndNeverBlocks() {
        var lines = new WaitingLines("test", Logger.getLogger(WaitingLinesTest.class), 2);
        try (LogLines log = LogLines.of(WaitingLinesTest.class)) {
            for (int i = 0; i < 5; i++) {
                lines.add(line("/" + i));
            }
            lines.writeWaiting();
            assertThat(log.lines()).hasSize(3);
            assertThat(log.lines().get(0)).contains("\"GET /0\"");
            assertThat(log.lines().get(1)).startsWith("3 lines are missing before this one");
            assertThat(log.lines().get(2)).contains("\"GET /1\"");
        }
    }
}
