package io.berth.placement.allocation;

import io.berth.database.Origin;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.annotation.Nullable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position up to which a client has read released consumers. The wire form, which the client sends with its next
 * request, is {@code server~snapshot}.
 *
 * @param server the start time of the PostgreSQL server in epoch microseconds, a dot, and the oid of the table {@code
 *         released_pruned}, which a restore changes; positions with different values cannot be compared
 * @param snapshot a {@code pg_snapshot} of PostgreSQL as text: {@code xmin:xmax:xip,...}
 */
record ReleasedUntil(String server, String snapshot) {
    private static final Pattern FORM =
            Pattern.compile("([0-9.]{1,60})~([0-9]{1,18}):([0-9]{1,18}):((?:[0-9]{1,18}(?:,[0-9]{1,18}){0,999})?)");

    /** Converts a row with the column {@code snapshot} and the columns of {@link Origin#COLUMNS}. */
    static ReleasedUntil of(Row row) {
        Origin origin = Origin.of(row);
        long startedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, origin.serverStarted().toInstant());
        return new ReleasedUntil(startedMicros + "." + origin.tableId(), row.getString("snapshot"));
    }

    /**
     * Parses the wire form. Returns null if the text is malformed, if PostgreSQL would not accept the snapshot in it,
     * or if the snapshot lists more than 1,000 transactions.
     */
    static @Nullable ReleasedUntil parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return null;
        }
        long xidMin = Long.parseLong(form.group(2));
        long xidEnd = Long.parseLong(form.group(3));
        if (xidMin < 1 || xidEnd < xidMin) {
            return null;
        }
        // PostgreSQL accepts only ascending ids of running transactions, from xmin to xmax - 1.
        for (String runningXid : form.group(4).isEmpty() ? new String[0] : form.group(4).split(",")) {
            long xid = Long.parseLong(runningXid);
            if (xid < xidMin || xid >= xidEnd) {
                return null;
            }
            xidMin = xid;
        }
        return new ReleasedUntil(form.group(1), text.substring(text.indexOf('~') + 1));
    }

    boolean isOfSameServer(ReleasedUntil other) {
        return server.equals(other.server);
    }

    @Override
    public String toString() {
        return server + "~" + snapshot;
    }
}
