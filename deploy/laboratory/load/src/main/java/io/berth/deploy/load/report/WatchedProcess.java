package io.berth.deploy.load.report;

/**
 * A process that is measured. Its processor time includes that of all processes below it.
 *
 * @param label the label in the results, such as {@code placement}; several processes may share one
 */
public record WatchedProcess(String label, long pid) {
    /**
     * @param text {@code LABEL=PID}
     * @throws IllegalArgumentException if the text has another form, with one line for the user
     */
    public static WatchedProcess parse(String text) {
        if (!text.matches("[a-z0-9-]{1,20}=[1-9]\\d{0,9}")) {
            throw new IllegalArgumentException("not of the form LABEL=PID: " + text);
        }
        String[] parts = text.split("=");
        return new WatchedProcess(parts[0], Long.parseLong(parts[1]));
    }
}
