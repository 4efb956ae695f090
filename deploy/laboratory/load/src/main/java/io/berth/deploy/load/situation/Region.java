package io.berth.deploy.load.situation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.fleet.Consumer;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import io.berth.deploy.load.life.Flavor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The registrations and machines (instances) of a flat fleet, in which each host is one provider, as in an operator's
 * region. All hosts are registered with the scheduler as compute nodes in three zones, with services that send
 * heartbeats; about half of the hosts report a NUMA topology. Server groups are registered too. Between half and all of
 * each host is used, three quarters on average. A situation that needs the registrations creates those that are missing
 * ({@link #registerHosts}): the first one all of them, a later one those of hosts that were added to the fleet. They
 * are removed by {@link #removeAll}, before the fleet. Not thread-safe: the event loop and other threads must not use a
 * region at the same time.
 */
public final class Region {
    /**
     * The number of machines with a limited lifetime that each host has at first. When one of them ends, another
     * machine is placed on any host. One further machine stays on the host until the region is removed, and uses so
     * much that the host's share of used capacity is reached.
     */
    static final int MACHINES_PER_HOST = 4;
    /** The lowest share of a host's capacity that is used. */
    private static final double SHARE_MIN = 0.5;
    /** The highest share of a host's capacity that is used. */
    private static final double SHARE_MAX = 1.0;
    /** The most records in one request that registers records or sends heartbeats. */
    private static final int RECORDS_MAX = 1_000;
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(20);
    private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(15);
    private static final long SYNC_POLL_MS = 100;
    /** The kind of all requests of this class; they are not measured. */
    private static final String KIND = "settle";
    private static final String NUMA_TOPOLOGY = IntStream.range(0, 2)
            .mapToObj(cell -> "{\"id\":%d,\"cpuset\":%s,\"pcpuset\":[],\"memory\":131072,\"siblings\":[],".formatted(
                    cell, IntStream.range(16 * cell, 16 * cell + 16).boxed().toList())
                    + "\"mempages\":[{\"size_kb\":4,\"total\":33554432}]}")
            .toList().toString();

    private final RequestMix mix;
    private final PriorityQueue<PlacedInstance> machines =
            new PriorityQueue<>(Comparator.comparingDouble(PlacedInstance::endHour));
    private final Map<UUID, Integer> numberByUuid = new HashMap<>();
    private final Queue<String> heartbeatProblems = new ConcurrentLinkedQueue<>();
    private int registeredHosts;
    private boolean filtersNuma;
    private double hour;
    private Thread heartbeatThread;

    /** @param seed the seed from which flavors are drawn */
    public Region(long seed) {
        this.mix = new RequestMix(seed);
    }

    RequestMix mix() {
        return mix;
    }

    /** Returns the machines that end and are replaced, ordered by the hour at which they end. */
    PriorityQueue<PlacedInstance> machines() {
        return machines;
    }

    /** Returns the number of machines that the region should have, without the permanent machine of each host. */
    int machinesWanted() {
        return MACHINES_PER_HOST * registeredHosts;
    }

    /**
     * Returns whether the scheduler's NUMATopologyFilter is enabled; it is not in the default options, which are
     * nova's. False before {@link #registerHosts}.
     */
    boolean filtersNuma() {
        return filtersNuma;
    }

    /** Returns the simulated hour: the latest hour at which a machine has ended; 0 if none has. */
    double hour() {
        return hour;
    }

    /** Removes and returns the machine that ends next, and advances the simulated hour. */
    PlacedInstance removeNextToEnd() {
        PlacedInstance ended = machines.remove();
        hour = Math.max(hour, ended.endHour());
        return ended;
    }

    /** Returns the number of a host in the fleet by its uuid; null if the region has no such host. */
    Integer findHostNumber(UUID host) {
        return numberByUuid.get(host);
    }

    static int zoneOf(int host) {
        return host % RequestMix.ZONES;
    }

    /**
     * Returns whether the host reports a NUMA topology. Of each six consecutive hosts the first three do, one in each
     * zone, so that each zone has both kinds of hosts.
     */
    static boolean reportsNuma(int host) {
        return host / RequestMix.ZONES % 2 == 0;
    }

    /**
     * Registers the hosts that are not registered yet, with their services and zones, creates their machines, and sends
     * the heartbeats of all hosts from then on. The first call also registers the server groups. Does nothing if all
     * hosts are registered. Returns problems, one line each.
     */
    List<String> registerHosts(Stage stage) throws InterruptedException {
        int hostCount = stage.fleet().size();
        List<String> problems = new ArrayList<>();
        if (registeredHosts < hostCount) {
            Response options = stage.call(stage.scheduler(), Exchange.get(KIND, "/v1/options", _ -> Outcome.GOOD));
            options.json().path("filters")
                    .forEach(filter -> filtersNuma |= filter.asText().equals("NUMATopologyFilter"));
            List<Host> hosts =
                    IntStream.range(registeredHosts, hostCount).mapToObj(number -> new Host(stage, number)).toList();
            register(stage, "compute_nodes", hosts.stream().map(Host::node), problems);
            register(stage, "services", hosts.stream().map(Host::service), problems);
            if (registeredHosts == 0) {
                register(stage, "server_groups", mix.groups().stream().map(Region::group), problems);
            }
            registeredHosts = hostCount;
            problems.addAll(stage.play(stage.scheduler(), oneByOne(zones(stage.fleet()))));
            problems.addAll(awaitSync(stage));
            problems.addAll(stage.play(stage.placement(), oneByOne(consumers(stage, hosts))));
            register(stage, "instances", hosts.stream().flatMap(Host::instances), problems);
            hosts.forEach(host -> {
                numberByUuid.put(host.uuid, host.number);
                machines.addAll(host.machines);
            });
            startHeartbeats(stage);
        }
        return problems;
    }

    /** Returns the problems with heartbeats since the last call, one line each. */
    List<String> takeHeartbeatProblems() {
        List<String> problems = new ArrayList<>();
        for (String problem = heartbeatProblems.poll(); problem != null; problem = heartbeatProblems.poll()) {
            problems.add(problem);
        }
        return problems;
    }

    /**
     * Stops the heartbeats, and removes all machines and registrations, but not the fleet. Returns problems, one line
     * each.
     */
    public List<String> removeAll(Stage stage) throws InterruptedException {
        stop();
        List<String> problems = new ArrayList<>();
        if (registeredHosts > 0) {
            List<Host> hosts = IntStream.range(0, registeredHosts).mapToObj(number -> new Host(stage, number)).toList();
            problems.addAll(stage.play(stage.scheduler(), oneByOne(Stream.concat(
                    machines.stream(), hosts.stream().map(host -> host.permanentMachine))
                    .map(machine -> deletion("/v1/instances/" + machine.instance())).iterator())));
            problems.addAll(stage.play(stage.scheduler(), oneByOne(Stream.concat(
                    mix.groups().stream().map(group -> deletion("/v1/server_groups/" + group.uuid())),
                    IntStream.range(0, RequestMix.ZONES).mapToObj(zone -> deletion(zonePath(zone))))
                    .iterator())));
            problems.addAll(awaitSync(stage));
            problems.addAll(stage.play(stage.scheduler(), oneByOne(hosts.stream()
                    .flatMap(host -> Stream.of(deletion(host.servicePath()), deletion(host.nodePath()))).iterator())));
            problems.addAll(awaitSync(stage));
            machines.clear();
            registeredHosts = 0;
        }
        return problems;
    }

    /** Stops the heartbeats, if any are sent. */
    public void stop() throws InterruptedException {
        if (heartbeatThread != null) {
            heartbeatThread.interrupt();
            heartbeatThread.join();
            heartbeatThread = null;
        }
    }

    private static Traffic oneByOne(Iterator<Exchange> exchanges) {
        return () -> exchanges.hasNext() ? exchanges.next() : null;
    }

    private static Exchange put(String path, String body) {
        return Exchange.put(KIND, path, body,
                response -> response.status() / 100 == 2 ? Outcome.GOOD : response.wrong("PUT " + path));
    }

    /**
     * Registers records with {@code PUT /v1/COLLECTION}, up to {@value #RECORDS_MAX} in a request. Adds problems to
     * {@code problems}.
     */
    private static void register(Stage stage, String collection, Stream<String> records, List<String> problems)
            throws InterruptedException {
        List<String> recordList = records.toList();
        problems.addAll(stage.play(stage.scheduler(), oneByOne(split(recordList, RECORDS_MAX)
                .map(part -> put("/v1/" + collection, "{\"" + collection + "\":[" + String.join(",", part) + "]}"))
                .iterator())));
    }

    private static <T> Stream<List<T>> split(List<T> items, int size) {
        return IntStream.iterate(0, from -> from < items.size(), from -> from + size)
                .mapToObj(from -> items.subList(from, Math.min(items.size(), from + size)));
    }

    private static String group(RequestMix.Group group) {
        return InstanceRequest.jsonObject(
                Map.of("uuid", group.uuid().toString(), "name", group.name(), "policy", group.policy(),
                        "project_id", group.project()));
    }

    private static Exchange deletion(String path) {
        return Exchange.delete(KIND, path,
                response -> response.status() / 100 == 2 || response.status() == 404
                        ? Outcome.GOOD
                        : response.wrong("DELETE " + path));
    }

    private static String zonePath(int zone) {
        return "/v1/host_aggregates/" + Fleet.uuidOf(RequestMix.zone(zone));
    }

    private static Iterator<Exchange> zones(Fleet fleet) {
        return IntStream.range(0, RequestMix.ZONES).mapToObj(zone -> {
            ObjectNode body = JsonNodeFactory.instance.objectNode().put("name", RequestMix.zone(zone));
            body.putObject("metadata").put("availability_zone", RequestMix.zone(zone));
            ArrayNode hosts = body.putArray("hosts");
            IntStream.range(0, fleet.size()).filter(number -> zoneOf(number) == zone).mapToObj(fleet::rootName)
                    .forEach(hosts::add);
            return put(zonePath(zone), body.toString());
        }).iterator();
    }

    /**
     * Waits until the placement sync, a background job of the scheduler, has written all registrations to placement.
     * Returns one problem if the scheduler does not report its progress, or if 15 minutes are not enough; otherwise an
     * empty list.
     */
    private static List<String> awaitSync(Stage stage) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + SYNC_TIMEOUT.toNanos();
        Response response;
        do {
            Thread.sleep(SYNC_POLL_MS);
            response = stage.call(stage.scheduler(), Exchange.get(KIND, "/v1/placement_sync", _ -> Outcome.GOOD));
            if (response.status() != 200) {
                return List.of(response.wrong("GET /v1/placement_sync").reason());
            }
        } while (response.json().path("pending").asInt(-1) != 0 && System.nanoTime() < deadlineNanos);
        int pending = response.json().path("pending").asInt(-1);
        return pending == 0 ? List.of() : List.of("%d hosts are not written to placement after %d minutes: %s"
                .formatted(pending, SYNC_TIMEOUT.toMinutes(), response.json().path("last_error").asText()));
    }

    private static Iterator<Exchange> consumers(Stage stage, List<Host> hosts) {
        return split(hosts.stream().flatMap(Host::consumers).toList(), Consumer.CONSUMERS_PER_REQUEST_MAX)
                .map(part -> Consumer.post(KIND, part, stage.expectedUsage()))
                .iterator();
    }

    /**
     * Starts a thread that sends the heartbeats of all services again and again, with a pause of 20 s. First stops the
     * thread that an earlier call started for fewer hosts, if there is one.
     */
    private void startHeartbeats(Stage stage) throws InterruptedException {
        stop();
        List<String> services =
                IntStream.range(0, registeredHosts).mapToObj(number -> serviceUuid(number).toString()).toList();
        heartbeatThread = Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    heartbeatProblems.addAll(stage.play(stage.scheduler(), oneByOne(heartbeats(services))));
                    Thread.sleep(HEARTBEAT_INTERVAL);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static Iterator<Exchange> heartbeats(List<String> services) {
        String path = "/v1/services/heartbeats";
        return split(services, RECORDS_MAX)
                .map(part -> Exchange.post(KIND, path, "{\"services\":[\"" + String.join("\",\"", part) + "\"]}",
                        response -> response.status() == 200 && response.json().path("unknown").isEmpty()
                                ? Outcome.GOOD
                                : response.wrong("POST " + path)))
                .iterator();
    }

    private static UUID serviceUuid(int host) {
        return Fleet.uuidOf("service " + host);
    }

    /**
     * One host and its machines. The same number and seed give the same machines, except for their end hours, which
     * count from the region's present hour.
     */
    private final class Host {
        private final int number;
        private final UUID uuid;
        private final String name;
        private final List<PlacedInstance> machines = new ArrayList<>();
        private final List<String> projects = new ArrayList<>();
        private final List<Integer> flavors = new ArrayList<>();
        private final PlacedInstance permanentMachine;

        Host(Stage stage, int number) {
            this.number = number;
            this.uuid = stage.fleet().root(number);
            this.name = stage.fleet().rootName(number);
            var random = new SplittableRandom(stage.seed() * 31 + number);
            Map<String, Integer> capacity = new HashMap<>();
            stage.fleet().hostProviders(number).getFirst().inventories().forEach(
                    (resourceClass, stock) -> capacity.put(resourceClass, (int) stock.capacity()));
            Map<String, Integer> used = new HashMap<>(stage.fleet().initialAllocations(number).get(uuid));
            for (int i = 0; i < MACHINES_PER_HOST; i++) {
                Flavor flavor = mix.drawFlavor(random);
                while (!fits(flavor.amounts(), used, capacity)) {
                    flavor = mix.drawFlavor(random);
                }
                double lifetime = flavor.cloud().drawLifetimeHours(random);
                projects.add(RequestMix.project(random.nextInt(RequestMix.PROJECTS)));
                flavors.add(flavor.number());
                machines.add(new PlacedInstance(Claim.newConsumer(random), uuid, flavor.amounts(), hour + lifetime));
                flavor.amounts().forEach((resourceClass, amount) -> used.merge(resourceClass, amount, Integer::sum));
            }
            double share = SHARE_MIN + (SHARE_MAX - SHARE_MIN) * random.nextDouble();
            Map<String, Integer> permanentAmounts = new HashMap<>();
            capacity.forEach((resourceClass, all) -> permanentAmounts.put(
                    resourceClass, Math.max(1, (int) (share * all) - used.get(resourceClass))));
            permanentMachine = new PlacedInstance(Claim.newConsumer(random), uuid, permanentAmounts,
                    Double.POSITIVE_INFINITY);
        }

        /** Returns whether a machine fits and leaves at least one unit of each class for the permanent machine. */
        private static boolean fits(
                Map<String, Integer> amounts, Map<String, Integer> used, Map<String, Integer> capacity) {
            return amounts.entrySet().stream()
                    .allMatch(each -> used.get(each.getKey()) + each.getValue() < capacity.get(each.getKey()));
        }

        String nodePath() {
            return "/v1/compute_nodes/" + uuid;
        }

        String servicePath() {
            return "/v1/services/" + serviceUuid(number);
        }

        String node() {
            return "{\"uuid\":\"" + uuid + "\",\"host\":\"" + name + "\",\"nodename\":\"" + name
                    + "\",\"hypervisor_type\":\"QEMU\",\"supported_instances\":[[\"x86_64\",\"kvm\",\"hvm\"]],"
                    + "\"cpu_allocation_ratio\":16.0,\"ram_allocation_ratio\":1.5"
                    + (reportsNuma(number) ? ",\"numa_topology\":{\"cells\":" + NUMA_TOPOLOGY + "}" : "") + "}";
        }

        String service() {
            return "{\"uuid\":\"" + serviceUuid(number) + "\",\"host\":\"" + name + "\"}";
        }

        Stream<Consumer> consumers() {
            return Stream.concat(
                    IntStream.range(0, machines.size()).mapToObj(i -> consumer(machines.get(i), projects.get(i))),
                    Stream.of(consumer(permanentMachine, RequestMix.project(number % RequestMix.PROJECTS))));
        }

        private static Consumer consumer(PlacedInstance machine, String project) {
            return new Consumer(machine.instance(), project, "bench-user", Map.of(machine.host(), machine.amounts()));
        }

        Stream<String> instances() {
            return Stream.concat(
                    IntStream.range(0, machines.size()).mapToObj(i -> instance(machines.get(i)) + ",\"project_id\":\""
                            + projects.get(i) + "\",\"instance_type_id\":" + (1 + flavors.get(i)) + "}"),
                    Stream.of(instance(permanentMachine) + "}"));
        }

        private String instance(PlacedInstance machine) {
            return "{\"uuid\":\"" + machine.instance() + "\",\"host\":\"" + name + "\",\"nodename\":\"" + name + "\"";
        }
    }
}
