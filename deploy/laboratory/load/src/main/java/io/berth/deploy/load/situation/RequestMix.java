package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.life.Flavor;
import io.berth.deploy.load.life.Flavors;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Draws the requests of a cloud's tenants. Each request has one of {@value #FLAVORS} flavors, {@value #PROJECTS}
 * projects and five images. Three requests in four name one of {@value #ZONES} zones, and one in {@value #GROUP_EVERY}
 * names a server group. Flavor sizes and their shares come from published data on real clouds (see {@link Flavors});
 * everything else is assumed.
 */
final class RequestMix {
    static final int FLAVORS = 100;
    static final int PROJECTS = 50;
    static final int ZONES = 3;
    static final int GROUP_EVERY = 10;
    private static final int GROUPS_PER_PROJECT = 4;
    /**
     * The policies of the server groups, in turn. Affinity is left out, because all decisions for such a group fail
     * once the host of the group is full.
     */
    private static final List<String> POLICIES =
            List.of("anti-affinity", "soft-anti-affinity", "anti-affinity", "soft-affinity");
    static final List<String> IMAGES = List.of(
            "{\"id\":\"bench-image-0\",\"properties\":{}}",
            "{\"id\":\"bench-image-1\",\"properties\":{\"hw_architecture\":\"x86_64\",\"os_type\":\"linux\"}}",
            "{\"id\":\"bench-image-2\",\"properties\":{\"hw_architecture\":\"x86_64\",\"img_hv_type\":\"kvm\","
                    + "\"hw_vm_mode\":\"hvm\"}}",
            "{\"id\":\"bench-image-3\",\"properties\":{\"hw_disk_bus\":\"virtio\",\"hw_vif_model\":\"virtio\"}}",
            "{\"id\":\"bench-image-4\",\"properties\":{\"os_type\":\"windows\",\"hw_disk_bus\":\"scsi\"}}");

    private final List<Flavor> flavors;
    private final List<Group> groups;

    /** A server group to be registered. */
    record Group(UUID uuid, String name, String policy, String project) {}

    RequestMix(long seed) {
        this.flavors = Flavors.draw(FLAVORS, seed, n -> Fleet.kindTrait(n % Fleet.KINDS));
        this.groups = IntStream.range(0, PROJECTS * GROUPS_PER_PROJECT).mapToObj(RequestMix::group).toList();
    }

    private static Group group(int number) {
        String name = "bench-group-" + number;
        return new Group(Fleet.uuidOf(name), name, POLICIES.get(number % POLICIES.size()),
                project(number / GROUPS_PER_PROJECT));
    }

    static String project(int number) {
        return "bench-project-" + number;
    }

    static String zone(int number) {
        return "bench-zone-" + number;
    }

    List<Group> groups() {
        return groups;
    }

    Flavor drawFlavor(RandomGenerator random) {
        return flavors.get(random.nextInt(FLAVORS));
    }

    InstanceRequest draw(RandomGenerator random) {
        int project = random.nextInt(PROJECTS);
        int zone = random.nextInt(ZONES + 1);
        UUID group = random.nextInt(GROUP_EVERY) == 0
                ? groups.get(project * GROUPS_PER_PROJECT + random.nextInt(GROUPS_PER_PROJECT)).uuid()
                : null;
        return new InstanceRequest(drawFlavor(random), project(project), IMAGES.get(random.nextInt(IMAGES.size())),
                zone == ZONES ? null : zone(zone), group);
    }
}
