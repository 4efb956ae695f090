package io.berth.scheduler.request.query;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.RequestedNetwork;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Builder of requests for tests: 2 VCPUs, 512 MiB and 10 GiB, with a test's changes. */
public final class RequestBuilder {
    private final Map<String, String> extraSpecs = new LinkedHashMap<>();
    private final Map<String, Object> image = new LinkedHashMap<>();
    private final List<RequestedNetwork> networks = new ArrayList<>();
    private final List<OutsideGroup> groups = new ArrayList<>();
    private final Set<String> pciRequestIds = new TreeSet<>();
    private String projectId = "project";
    private String zone;
    private String diskFormat;
    private boolean bootFromVolume;
    private boolean nearOthers;
    private long ephemeralGb;
    private long swapMb;
    private int vcpus = 2;

    public static RequestBuilder aRequest() {
        return new RequestBuilder();
    }

    public RequestBuilder spec(String key, String value) {
        extraSpecs.put(key, value);
        return this;
    }

    public RequestBuilder image(String name, Object value) {
        image.put(name, value);
        return this;
    }

    public RequestBuilder vcpus(int count) {
        vcpus = count;
        return this;
    }

    public RequestBuilder project(String id) {
        projectId = id;
        return this;
    }

    public RequestBuilder zone(String name) {
        zone = name;
        return this;
    }

    public RequestBuilder diskFormat(String format) {
        diskFormat = format;
        return this;
    }

    public RequestBuilder bootFromVolume() {
        bootFromVolume = true;
        return this;
    }

    public RequestBuilder nearOthers() {
        nearOthers = true;
        return this;
    }

    public RequestBuilder disks(long ephemeral, long swap) {
        ephemeralGb = ephemeral;
        swapMb = swap;
        return this;
    }

    public RequestBuilder network(RequestedNetwork network) {
        networks.add(network);
        return this;
    }

    public RequestBuilder group(String requesterId, Map<String, Long> resources, String... requiredTraits) {
        groups.add(new OutsideGroup(requesterId, resources, Set.of(requiredTraits), Set.of(), List.of(), null));
        return this;
    }

    public RequestBuilder pciRequest(String id) {
        pciRequestIds.add(id);
        return this;
    }

    public PlacementRequest build() {
        return new PlacementRequest(
                projectId,
                zone,
                new FlavorAndImage(extraSpecs, image, vcpus, 512),
                10,
                ephemeralGb,
                swapMb,
                diskFormat,
                bootFromVolume,
                networks,
                groups,
                pciRequestIds,
                List.of(),
                nearOthers,
                Set.of(),
                Set.of(),
                List.of(),
                Set.of());
    }

    /** Decodes a query string for readability. It stays complete and in order. */
    public static String decoded(String queryString) {
        return URLDecoder.decode(queryString, StandardCharsets.UTF_8);
    }
}
