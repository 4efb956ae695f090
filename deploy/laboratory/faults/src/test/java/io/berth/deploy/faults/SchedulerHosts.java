package io.berth.deploy.faults;

import io.berth.deploy.process.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Hosts for the instances of one test. They have a trait that its flavor requires. */
record SchedulerHosts(String trait, List<UUID> uuids) {
    /** Creates providers in placement with room for more instances than any test requests. */
    static SchedulerHosts make(Api placement, int count) {
        return make(placement, count, 100_000);
    }

    /** @param vcpus VCPUs of each host; other resources are plentiful */
    static SchedulerHosts make(Api placement, int count, int vcpus) {
        String trait = "CUSTOM_" + UUID.randomUUID().toString().replace('-', '_').toUpperCase(Locale.ROOT);
        Cloud.expect(201, placement.call("PUT", "/traits/" + trait, null));
        List<UUID> uuids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            UUID uuid = UUID.randomUUID();
            Cloud.expect(200, placement.call("POST", "/resource_providers", """
                    {"name": "%s", "uuid": "%s"}""".formatted(name(uuid), uuid)));
            Cloud.expect(200, placement.call("PUT", "/resource_providers/" + uuid + "/inventories", """
                    {"resource_provider_generation": 0, "inventories": {
                      "VCPU": {"total": %d}, "MEMORY_MB": {"total": 100000000}, "DISK_GB": {"total": 10000000}}}
                    """.formatted(vcpus)));
            Cloud.expect(200, placement.call("PUT", "/resource_providers/" + uuid + "/traits", """
                    {"resource_provider_generation": 1, "traits": ["%s"]}""".formatted(trait)));
            uuids.add(uuid);
        }
        return new SchedulerHosts(trait, uuids);
    }

    static String name(UUID host) {
        return "host-" + host;
    }

    static UUID uuid(String name) {
        return UUID.fromString(name.substring("host-".length()));
    }

    /** Registers all hosts, each with a service that has just reported, and returns the uuids of the services. */
    List<UUID> register(Api scheduler) {
        UUID cell = UUID.randomUUID();
        Cloud.expect(201, scheduler.call("PUT", "/v1/cells/" + cell, "{\"name\": \"cell-%s\"}".formatted(cell)));
        List<UUID> services = new ArrayList<>();
        for (UUID host : uuids) {
            UUID service = UUID.randomUUID();
            Cloud.expect(201, scheduler.call("PUT", "/v1/compute_nodes/" + host, """
                    {"host": "%s", "cell_uuid": "%s"}""".formatted(name(host), cell)));
            Cloud.expect(201, scheduler.call("PUT", "/v1/services/" + service, """
                    {"host": "%s"}""".formatted(name(host))));
            services.add(service);
        }
        beat(scheduler, services);
        return services;
    }

    static void beat(Api scheduler, List<UUID> services) {
        services.forEach(
                service -> Cloud.expect(204, scheduler.call("POST", "/v1/services/" + service + "/heartbeat", "{}")));
    }
}
