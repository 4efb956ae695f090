package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Selects hosts by one member: {@code {"hosts": [NAME, ...]}}, {@code {"zone": NAME}},
 * {@code {"aggregate": UUID_OR_NAME}}, {@code {"trait": NAME}} or {@code {"all": true}}.
 *
 * @param by the only member of the selector
 * @param values the value of the member; the names for {@code hosts}; empty for {@code all}
 * @param path path of the member in the body
 */
public record Selector(By by, List<String> values, String path) {
    /** The maximum number of different names in {@code hosts}; more get the response 400. */
    private static final int HOSTS_MAX = 100_000;

    /** The members, of which exactly one is present. */
    public enum By { HOSTS, ZONE, AGGREGATE, TRAIT, ALL }

    /** Reads a selector, without finding its hosts. Throws ApiFault (400) with the path of the invalid member. */
    public static Selector read(JsonNode value, String path) {
        var body = new StrictObject(value, path);
        Map.Entry<String, JsonNode> member = ChangesBody.only(body, path, "hosts", "zone", "aggregate", "trait", "all");
        String memberPath = path + "." + member.getKey();
        By by = By.valueOf(member.getKey().toUpperCase(Locale.ROOT));
        return new Selector(
                by,
                switch (by) {
                    case HOSTS -> hosts(member.getValue(), memberPath);
                    case ALL -> all(member.getValue(), memberPath);
                    default -> List.of(StrictObject.TEXT.read(member.getValue(), memberPath));
                },
                memberPath);
    }

    private static List<String> hosts(JsonNode value, String path) {
        Set<String> names = new LinkedHashSet<>(StrictObject.listOf(StrictObject.TEXT).read(value, path));
        if (names.isEmpty()) {
            throw ApiFault.invalid(path + ": must not be empty");
        }
        if (names.size() > HOSTS_MAX) {
            throw ApiFault.invalid(path + ": must have at most " + HOSTS_MAX + " hosts");
        }
        return List.copyOf(names);
    }

    private static List<String> all(JsonNode value, String path) {
        if (!value.isBoolean() || !value.booleanValue()) {
            throw ApiFault.invalid(path + ": must be true");
        }
        return List.of();
    }

    /**
     * Returns the selected hosts: for {@code hosts} in the order of the body, otherwise sorted by name. Blocks; for the
     * analysis worker only. Throws ApiFault: 404 for a named host that does not exist, 400 if none is selected, and as
     * {@link Snapshot#ask(List)} does. Throws {@link DeadlineExceeded} at the deadline.
     */
    public List<SelectedHost> find(Snapshot cloud) {
        return new ScenarioCloud(cloud).find(this);
    }
}
