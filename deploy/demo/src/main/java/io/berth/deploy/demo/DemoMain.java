package io.berth.deploy.demo;

import java.io.IOException;

/**
 * The tour of {@code deploy/up --demo}. Arguments: base URL of placement, base URL of the scheduler. May be
 * repeated: it first takes back what an earlier tour placed. Exit 1 with one line when a service answers
 * something that the tour did not expect.
 */
public final class DemoMain {
    private DemoMain() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 2) {
            System.err.println("usage: DemoMain PLACEMENT_URL SCHEDULER_URL");
            System.exit(2);
        }
        try {
            var fleet = new DemoFleet(new JsonApi(args[0]));
            var tour = new SchedulingTour(new JsonApi(args[1]), System.out);
            fleet.release(SchedulingTour.INSTANCES);
            System.out.println("\n" + fleet.load());
            tour.tenInOneRequest();
            tour.tenOneByOne();
            System.out.println("\n" + fleet.describeUsage());
            tour.oneThatFitsNowhere();
        } catch (UnexpectedAnswer | IOException e) {
            System.err.println("demo: " + e.getMessage());
            System.exit(1);
        }
    }
}
