package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Measured;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import java.time.Duration;
import java.util.List;

/** One kind of work, measured at several numbers of connections. */
public interface Situation {
    /** Returns its name in lower case with dashes, as {@code --situations} takes it. */
    String name();

    /** Returns the service that the traffic is for. */
    default Target target(Stage stage) {
        return stage.placement();
    }

    /**
     * Returns the time limit of a situation that runs to its own end and is reported in its own words; null if it has a
     * rate.
     */
    default Duration longest() {
        return null;
    }

    /** Returns the MB that each service may have in RAM afterwards; infinite if that is not measured. */
    default double residentMbMax() {
        return Double.POSITIVE_INFINITY;
    }

    /** Sets the stage for one measurement. What it finds wrong fails the run. */
    Act begin(Stage stage) throws InterruptedException;

    /** A situation that is set up. */
    interface Act {
        /**
         * Returns the traffic, which is sent for the whole measurement; the same for warm-up, measurement, and every
         * number of connections.
         */
        Traffic traffic();

        /**
         * Ends the concurrent traffic, which also ran during the warm-up, and returns its measurements. Null for none.
         */
        default Measured meanwhile() throws InterruptedException {
            return null;
        }

        /** Returns one line about the requests or responses, empty for none. */
        default String remark() {
            return "";
        }

        /** Checks the effects of the traffic and removes them. Returns problems, one line each. */
        default List<String> end() throws InterruptedException {
            return List.of();
        }
    }
}
