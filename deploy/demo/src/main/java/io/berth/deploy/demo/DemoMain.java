package io.berth.deploy.demo;

import java.io.IOException;
import java.util.Locale;

/**
 * The tour of {@code deploy/up --demo}. Arguments: base URL of placement, base URL of the scheduler, and {@code
 * --colour} for a terminal that shows it. May be repeated: it first puts its hosts back as they were. Exit 1 with one
 * line when a service answers something that the tour did not expect.
 */
public final class DemoMain {
    private DemoMain() {}

    public static void main(String[] args) throws InterruptedException {
        boolean coloured = args.length == 3 && args[2].equals("--colour");
        if (args.length != 2 && !coloured) {
            System.err.println("usage: DemoMain PLACEMENT_URL SCHEDULER_URL [--colour]");
            System.exit(2);
        }
        // Figures with commas and points, whatever the machine speaks.
        Locale.setDefault(Locale.ROOT);
        try {
            new Tour(args[0], args[1], new Screen(System.out, coloured)).run();
        } catch (UnexpectedAnswer | IOException e) {
            System.err.println("demo: " + e.getMessage());
            System.exit(1);
        }
    }
}
