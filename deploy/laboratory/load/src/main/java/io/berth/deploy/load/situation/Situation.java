package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Measured;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import java.time.Duration;
import java.util.List;

/** One kind of work, measured at several numbers of connections. */
public interface Situation {
    /** In lower case with dashes, as {@code --situations} takes it. */
    String name();

    /** Which of the services the traffic is for. */
    default Target target(Stage stage) {
        return stage.placement();
    }

    /** Told in its own words and not in a rate: for as long as it takes, at most so long; null where a rate is told. */
    default Duration longest() {
        return null;
    }

    /** MB that each service may have in RAM afterwards; infinite where that is not the question. */
    default double residentMbMax() {
        return Double.POSITIVE_INFINITY;
    }

    /** Sets the stage for one measurement. What it finds wrong fails the run. */
    Act begin(Stage stage) throws InterruptedException;

    /** A situation set up. */
    interface Act {
        /** Sent for as long as it is measured; the same for warming up, measuring, and every number of connections. */
        Traffic traffic();

        /** What else was asked all the while, warming up included; this ends it. Null for nothing. */
        default Measured meanwhile() throws InterruptedException {
            return null;
        }

        /** One line on what was asked or answered, empty for nothing. */
        default String remark() {
            return "";
        }

        /** Checks what the traffic left behind and takes it back; problems, one line each. */
        default List<String> end() throws InterruptedException {
            return List.of();
        }
    }
}
