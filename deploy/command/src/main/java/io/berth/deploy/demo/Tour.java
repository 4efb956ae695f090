package io.berth.deploy.demo;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.model.text.Bar;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs the chapters of the tour in order: creates the fleet, raises its allocation ratio, places instances, shows a
 * refusal and a race of claims, and suggests what to do next.
 */
record Tour(RestClient placement, RestClient scheduler, Screen screen) {
    private static final double RATIO = 4.0;
    private static final String ZONE_ROW = "  %-6s %5s %5s %8s %8s %8s";

    void run() throws ApiFailure, InterruptedException {
        var fleet = new DemoFleet(placement, scheduler);
        var ratios = new Ratios(placement.endpoint().url(), fleet, screen);
        var placements = new Placements(scheduler, screen);

        screen.heading(1, "A fleet: 3 zones, 6 racks, 48 hosts, 24 GPUs, and instances on all of them");
        fleet.load();
        List<DemoFleet.Room> before = fleet.vcpuRooms();
        printZones(before, "at 1.0");

        screen.heading(2, "More room: 4 vCPUs for each physical one, on the 36 hosts without GPUs");
        ratios.raiseGeneral("VCPU", RATIO);
        screen.line("");
        List<DemoFleet.Room> after = fleet.vcpuRooms();
        printZones(after, "at " + RATIO);
        screen.line("");
        screen.line("  Free vCPUs: %,d before, %s now. Nothing was restarted; the next request sees it.".formatted(
                freeVcpus(before), screen.strong("%,d".formatted(freeVcpus(after)))));

        screen.heading(3, "Twenty instances, one request each, and why each went where it did");
        placements.placeAll20();

        screen.heading(4, "One that fits nowhere: where the hosts went, and what would be enough");
        new Refusal(placement, scheduler, fleet, screen).show(ratios, placements);

        screen.heading(5, "1,000 claims on one host at once");
        new Race(placement, fleet, screen).run(DemoHost.of(3, 2, 4));

        printNextSteps();
    }

    private void printZones(List<DemoFleet.Room> rooms, String label) {
        screen.line(screen.strong(ZONE_ROW.formatted("zone", "hosts", "GPUs", "vCPUs", "in use", "free"))
                + "   " + screen.faint("(" + label + ")"));
        for (int zone = 1; zone <= DemoHost.ZONES; zone++) {
            int thisZone = zone;
            List<DemoHost> hosts = DemoHost.ALL.stream().filter(host -> host.zone() == thisZone).toList();
            long capacity = hosts.stream().mapToLong(host -> rooms.get(host.index()).capacity()).sum();
            long used = hosts.stream().mapToLong(host -> rooms.get(host.index()).used()).sum();
            screen.line(ZONE_ROW.formatted("az-" + zone, hosts.size(),
                    hosts.stream().mapToInt(host -> host.gpuNames().size()).sum(),
                    "%,d".formatted(capacity), "%,d".formatted(used), "%,d".formatted(capacity - used))
                    + "   " + Bar.of(used, capacity, 32));
        }
    }

    private static long freeVcpus(List<DemoFleet.Room> rooms) {
        return IntStream.range(0, rooms.size()).mapToLong(i -> rooms.get(i).free()).sum();
    }

    private void printNextSteps() {
        screen.heading(6, "Go on");
        screen.line("  All of it is still there, and both services are running. Look around:");
        screen.line("");
        screen.command("export OS_AUTH_TYPE=admin_token OS_TOKEN=admin OS_PLACEMENT_API_VERSION=1.39");
        screen.command("export OS_ENDPOINT=" + placement.endpoint());
        screen.command("openstack resource provider list --member-of " + DemoFleet.GENERAL_AGGREGATE);
        screen.command("openstack allocation candidate list --resource VGPU=2 --resource VCPU=16");
        screen.command("curl -H 'x-auth-token: admin' " + scheduler.endpoint() + "/v1/host_aggregates");
        screen.line("");
        screen.line("  README.md asks what fits and why; docs/tutorial.md takes an hour.");
        screen.line("  " + screen.strong("deploy/down") + " stops everything and keeps the data; "
                + screen.strong("deploy/up --demo") + " puts the demo back as it was.");
        screen.line("");
        screen.line("  The same in a browser, with the token admin: " + screen.strong(scheduler.endpoint() + "/ui"));
    }
}
