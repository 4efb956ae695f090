package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import java.time.Duration;
import java.util.List;

/**
 * One kind of load on a service. A run measures each situation at each of the run's numbers of connections, or plays it
 * once ({@link #singlePlayLimit}).
 */
public interface Situation {
    /** Returns the name for the option {@code --situations}, in lower case with dashes. */
    String name();

    /** Returns the service to which the traffic is sent; null if the stage does not have this service. */
    default Target target(Stage stage) {
        return stage.placement();
    }

    /**
     * Returns the time limit of a situation that is played once, until its traffic ends. Returns null for a situation
     * that is measured for the run's duration at each number of connections.
     */
    default Duration singlePlayLimit() {
        return null;
    }

    /**
     * Returns the resident memory in MB that each watched process may have after the measurement; infinite if memory is
     * not checked.
     */
    default double residentMbMax() {
        return Double.POSITIVE_INFINITY;
    }

    /**
     * Sets up one measurement. A problem during the set-up is returned by {@link Act#end}, and fails the run.
     */
    Act begin(Stage stage) throws InterruptedException;

    /** A situation that is set up for one measurement. */
    interface Act {
        /**
         * Returns the traffic. Called once for the warm-up, if there is one, and once for the measurement, which
         * continues the traffic of the warm-up.
         */
        Traffic traffic();

        /**
         * Stops the further traffic that the situation itself has been sending since {@link #begin}, and returns the
         * measurements of this traffic. Returns null if there was none.
         */
        default Measurements stopConcurrentTraffic() throws InterruptedException {
            return null;
        }

        /** Returns one line about the requests or responses, for the results; empty for none. */
        default String remark() {
            return "";
        }

        /** Checks the effects of the traffic and removes them. Returns problems, one line each. */
        default List<String> end() throws InterruptedException {
            return List.of();
        }
    }
}
