package io.berth.identity.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.junit.jupiter.api.Test;

/** Tests that log messages are escaped so that each stays on one line. */
@SuppressWarnings("deprecation") // of ExtLogRecord.getFormattedMessage, which OneLine goes by
class OneLineTest {
    @Test
    void escapesLineBreaksAndControlCharacters() {
        var entry = new ExtLogRecord(Level.WARN, "ignored value=%s", ExtLogRecord.FormatStyle.PRINTF, "x");
        entry.setParameters(new Object[] {"a\r\n2026 ERROR forged\u001b[2J\u2028\u202e\u0085\tend"});
        assertThat(new OneLine().isLoggable(entry)).isTrue();
        assertThat(entry.getFormattedMessage())
                .isEqualTo("ignored value=a\\r\\n2026 ERROR forged\\u001b[2J\\u2028\\u202e\\u0085\tend");
    }

    @Test
    void leavesOtherMessagesUnchanged() {
        var entry = new ExtLogRecord(Level.WARN, "host not synced host=%s", ExtLogRecord.FormatStyle.PRINTF, "x");
        entry.setParameters(new Object[] {"h\u00f6st 100%"});
        assertThat(new OneLine().isLoggable(entry)).isTrue();
        assertThat(entry.getFormattedMessage()).isEqualTo("host not synced host=h\u00f6st 100%");
        assertThat(entry.getMessage()).isEqualTo("host not synced host=%s");
    }
}
