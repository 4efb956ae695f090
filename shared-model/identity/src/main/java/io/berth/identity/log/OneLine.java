package io.berth.identity.log;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;

/**
 * A log filter that prevents forged log lines. In the message of every record, the filter escapes characters that would
 * end the line or control a terminal; it does not change stack traces. The filter drops no record. Enabled by {@code
 * quarkus.log.console.filter=one-line}.
 */
@LoggingFilter(name = "one-line")
public final class OneLine implements Filter {
    @SuppressWarnings("deprecation") // the alternative needs a formatter, which a filter does not have
    @Override
    public boolean isLoggable(LogRecord entry) {
        ExtLogRecord extended = ExtLogRecord.wrap(entry);
        String text = extended.getFormattedMessage();
        // A record of another type than ExtLogRecord stays as it is: wrap returns a copy of it.
        if (text != null && !isPlain(text) && extended == entry) {
            extended.setMessage(escape(text), ExtLogRecord.FormatStyle.NO_FORMAT);
        }
        return true;
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnsafe(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the character is a control character other than the tab, a line or paragraph separator, or a
     * character that changes the direction of writing.
     */
    private static boolean isUnsafe(char c) {
        return Character.isISOControl(c) && c != '\t'
                || c >= '\u2028' && c <= '\u202e'
                || c >= '\u2066' && c <= '\u2069';
    }

    static String escape(String text) {
        var escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                escaped.append("\\n");
            } else if (c == '\r') {
                escaped.append("\\r");
            } else if (isUnsafe(c)) {
                escaped.append("\\u%04x".formatted((int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
