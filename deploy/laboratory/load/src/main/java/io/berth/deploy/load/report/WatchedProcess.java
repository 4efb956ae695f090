package io.berth.deploy.load.report;

/**
 * A process that is measured. Its processor time includes that of its descendants; its memory and written bytes do not.
 *
 * @param label the label in the results, such as {@code placement}; several processes may share a label
 */
public record WatchedProcess(String label, long pid) {
    /**
     * Parses a value of the option {@code --watch}.
     *
     * @param text {@code LABEL=PID}
     * @throws IllegalArgumentException if the text has another form; the message is one line for the user
     */
    public static WatchedProcess parse(String text) {
        if (!text.matches("[a-z0-9-]{1,20}=[1-9]\\d{0,9}")) {
            throw new IllegalArgumentException("not of the form LABEL=PID: " + text);
        }
        String[] parts = text.split("=");
        return new WatchedProcess(parts[0], Long.parseLong(parts[1]));
    }
}
