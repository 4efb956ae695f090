package io.berth.scheduler.legacy.attestation;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Parses the response to PollHosts: {@code {"hosts": [{"host_name", "trust_lvl", "vtime"}]}}.
 * <br>Source: nova {@code scheduler/filters/trusted_filter.py} of the last release that had it.
 */
final class PollHostsResponse {
    /**
     * Accepted forms of {@code vtime}: ISO 8601, with or without zone and fraction, and the form of C's {@code ctime}.
     */
    private static final List<DateTimeFormatter> TIMES = List.of(
            new DateTimeFormatterBuilder()
                    .appendPattern("yyyy-MM-dd['T'][' ']HH:mm[:ss]")
                    .optionalStart()
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .optionalEnd()
                    .appendPattern("[XXX][XX][X]")
                    .toFormatter(Locale.ROOT),
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT));

    private PollHostsResponse() {}

    /**
     * Returns the result of each requested node. The level of a node that the response omits, or lists without a level
     * or without a time that can be parsed, is unknown, with {@code now} as the time of its verification. Throws {@link
     * AttestationHttp.Unavailable} if {@code response} has no list of hosts.
     */
    static Map<String, Attestation> read(JsonNode response, Set<String> nodes, Instant now) {
        JsonNode hosts = response.path("hosts");
        if (!hosts.isArray()) {
            throw new AttestationHttp.Unavailable("attestation service returned no list of hosts");
        }
        Map<String, Attestation> byNode = allUnknown(nodes, now);
        for (JsonNode host : hosts) {
            String node = host.path("host_name").textValue();
            if (node != null && nodes.contains(node)) {
                byNode.put(node, read(host, now));
            }
        }
        return byNode;
    }

    /** Returns an unknown level, with {@code now} as the time of its verification, for each node. */
    static Map<String, Attestation> allUnknown(Set<String> nodes, Instant now) {
        Map<String, Attestation> byNode = new HashMap<>();
        nodes.forEach(node -> byNode.put(node, Attestation.unknown(now)));
        return byNode;
    }

    private static Attestation read(JsonNode host, Instant now) {
        String level = host.path("trust_lvl").textValue();
        Instant verified = parseTime(host.path("vtime").asText(""));
        return level == null || verified == null
                ? Attestation.unknown(now)
                : new Attestation(level, verified.isAfter(now) ? now : verified);
    }

    /** Parses a time; one without a zone is in UTC. Returns null if the text has none of the accepted forms. */
    private static @Nullable Instant parseTime(String text) {
        for (DateTimeFormatter format : TIMES) {
            try {
                TemporalAccessor read = format.parseBest(
                        text.strip().replaceAll(" +", " "), OffsetDateTime::from, LocalDateTime::from);
                return read instanceof OffsetDateTime zoned
                        ? zoned.toInstant()
                        : LocalDateTime.from(read).toInstant(ZoneOffset.UTC);
            } catch (DateTimeException otherForm) {
                // Tries the next form.
            }
        }
        return null;
    }
}
