package io.berth.model;

import java.time.Instant;

/**
 * One change of data that operators maintain, such as inventories, traits, aggregates, services, groups and policy
 * rules. {@link #toString} is its line in the log. An old or new value of more than {@value #VALUE_LENGTH_MAX}
 * characters is cut, and ends with {@code ...}.
 *
 * @param at time of the change
 * @param what kind and name of the changed object
 * @param user id of the user; empty if the change was made in a configuration file
 * @param project id of the project of the user's token; empty if there is none
 * @param requestId id of the request; empty if the change was made in a configuration file
 * @param oldValue the previous value; empty if the object was added
 * @param newValue the new value; empty if the object was removed
 */
public record OperatorChange(
        Instant at, String what, String user, String project, String requestId, String oldValue, String newValue) {
    private static final int VALUE_LENGTH_MAX = 4_096;

    public OperatorChange {
        oldValue = cut(oldValue);
        newValue = cut(newValue);
    }

    private static String cut(String value) {
        return value.length() <= VALUE_LENGTH_MAX ? value : value.substring(0, VALUE_LENGTH_MAX) + "...";
    }

    @Override
    public String toString() {
        return what + (oldValue.isEmpty() ? " added" : newValue.isEmpty() ? " removed" : " changed")
                + " user: " + orDash(user) + " project: " + orDash(project) + " request_id: " + orDash(requestId)
                + " old: " + orDash(oldValue) + " new: " + orDash(newValue);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
