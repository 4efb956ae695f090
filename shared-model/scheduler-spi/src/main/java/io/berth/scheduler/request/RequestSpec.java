package io.berth.scheduler.request;

import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.RequestedNetwork;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * One request for instances of the same flavor and image, with all conditions on their hosts. Immutable. The scheduler
 * places one instance after the other, each in a round with a copy of the request that has the instance's uuid.
 * <br>Source: nova {@code objects/request_spec.py}.
 *
 * @param instanceUuid uuid of the instance that is being placed in this round; null if it has no uuid. Before the first
 *         round, the uuid that the request states under this name, or null
 * @param instanceUuids uuids of all instances of the request, in the order of their placement; empty if they have no
 *         uuids
 * @param numInstances number of instances if {@code instanceUuids} is empty; at least 1
 * @param projectId null if unknown
 * @param userId null if unknown
 * @param image null if unknown or if there is none
 * @param imageProperties the known properties of {@code image}; empty without an image
 * @param availabilityZone requested zone; null for any
 * @param ignoreHosts names of hosts that must not be selected; case is ignored, but not by the chance scheduler
 * @param forceHosts names of hosts of which one must be selected; case is ignored. Empty: any host. If {@code
 *         forceHosts} or {@code forceNodes} is not empty, a decision skips the filters, unless {@link
 *         SchedulerHints#statesCheckType} is true
 * @param forceNodes names of nodes of which one must be selected; compared exactly. Empty: any node
 * @param requestedDestination null for any destination
 * @param instanceGroup the server group of the instances; null for none
 * @param numaTopology the requested NUMA topology; null for none
 * @param networkMetadata the networks that must be attached near the instance's NUMA cells; null for none
 * @param requestedResources request groups of ports, device profiles and PCI aliases, in addition to the request groups
 *         of the flavor
 * @param requestLevelParams demands on the whole provider tree
 * @param retry earlier attempts; null for none
 * @param bootFromVolume whether the root disk is a volume
 * @param names names for display
 */
public record RequestSpec(
        @Nullable String instanceUuid,
        List<String> instanceUuids,
        int numInstances,
        @Nullable String projectId,
        @Nullable String userId,
        Flavor flavor,
        @Nullable Image image,
        ImageProperties imageProperties,
        @Nullable String availabilityZone,
        List<String> ignoreHosts,
        List<String> forceHosts,
        List<String> forceNodes,
        @Nullable RequestedDestination requestedDestination,
        @Nullable InstanceGroup instanceGroup,
        SchedulerHints schedulerHints,
        @Nullable InstanceNuma numaTopology,
        List<PciRequest> pciRequests,
        @Nullable NetworkMetadata networkMetadata,
        List<OutsideGroup> requestedResources,
        RequestLevelParams requestLevelParams,
        List<RequestedNetwork> requestedNetworks,
        @Nullable Retry retry,
        boolean bootFromVolume,
        RequestNames names) {

    public RequestSpec {
        instanceUuids = List.copyOf(instanceUuids);
        ignoreHosts = List.copyOf(ignoreHosts);
        forceHosts = List.copyOf(forceHosts);
        forceNodes = List.copyOf(forceNodes);
        pciRequests = List.copyOf(pciRequests);
        requestedResources = List.copyOf(requestedResources);
        requestedNetworks = List.copyOf(requestedNetworks);
        Objects.requireNonNull(flavor, "flavor");
        Objects.requireNonNull(imageProperties, "imageProperties");
        Objects.requireNonNull(schedulerHints, "schedulerHints");
        Objects.requireNonNull(requestLevelParams, "requestLevelParams");
        Objects.requireNonNull(names, "names");
    }

    /** Returns a builder of a request for one instance of this flavor, without any conditions. */
    public static Builder of(Flavor flavor) {
        return new Builder(flavor);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns the number of requested instances. */
    public int instanceCount() {
        return instanceUuids.isEmpty() ? numInstances : instanceUuids.size();
    }

    /** Builds a request. A member that is not set is not requested. */
    public static final class Builder {
        private @Nullable String instanceUuid;
        private List<String> instanceUuids = List.of();
        private int numInstances = 1;
        private @Nullable String projectId;
        private @Nullable String userId;
        private Flavor flavor;
        private @Nullable Image image;
        private ImageProperties imageProperties = ImageProperties.NONE;
        private @Nullable String availabilityZone;
        private List<String> ignoreHosts = List.of();
        private List<String> forceHosts = List.of();
        private List<String> forceNodes = List.of();
        private @Nullable RequestedDestination requestedDestination;
        private @Nullable InstanceGroup instanceGroup;
        private SchedulerHints schedulerHints = SchedulerHints.NONE;
        private @Nullable InstanceNuma numaTopology;
        private List<PciRequest> pciRequests = List.of();
        private @Nullable NetworkMetadata networkMetadata;
        private List<OutsideGroup> requestedResources = List.of();
        private RequestLevelParams requestLevelParams = RequestLevelParams.NONE;
        private List<RequestedNetwork> requestedNetworks = List.of();
        private @Nullable Retry retry;
        private boolean bootFromVolume;
        private RequestNames names = RequestNames.NONE;

        private Builder(Flavor flavor) {
            this.flavor = flavor;
        }

        private Builder(RequestSpec from) {
            instanceUuid = from.instanceUuid;
            instanceUuids = from.instanceUuids;
            numInstances = from.numInstances;
            projectId = from.projectId;
            userId = from.userId;
            flavor = from.flavor;
            image = from.image;
            imageProperties = from.imageProperties;
            availabilityZone = from.availabilityZone;
            ignoreHosts = from.ignoreHosts;
            forceHosts = from.forceHosts;
            forceNodes = from.forceNodes;
            requestedDestination = from.requestedDestination;
            instanceGroup = from.instanceGroup;
            schedulerHints = from.schedulerHints;
            numaTopology = from.numaTopology;
            pciRequests = from.pciRequests;
            networkMetadata = from.networkMetadata;
            requestedResources = from.requestedResources;
            requestLevelParams = from.requestLevelParams;
            requestedNetworks = from.requestedNetworks;
            retry = from.retry;
            bootFromVolume = from.bootFromVolume;
            names = from.names;
        }

        public Builder instanceUuid(@Nullable String value) {
            instanceUuid = value;
            return this;
        }

        public Builder instanceUuids(List<String> value) {
            instanceUuids = value;
            return this;
        }

        public Builder numInstances(int value) {
            numInstances = value;
            return this;
        }

        public Builder projectId(@Nullable String value) {
            projectId = value;
            return this;
        }

        public Builder userId(@Nullable String value) {
            userId = value;
            return this;
        }

        public Builder image(@Nullable Image value) {
            image = value;
            return this;
        }

        public Builder imageProperties(ImageProperties value) {
            imageProperties = value;
            return this;
        }

        public Builder availabilityZone(@Nullable String value) {
            availabilityZone = value;
            return this;
        }

        public Builder ignoreHosts(List<String> value) {
            ignoreHosts = value;
            return this;
        }

        public Builder forceHosts(List<String> value) {
            forceHosts = value;
            return this;
        }

        public Builder forceNodes(List<String> value) {
            forceNodes = value;
            return this;
        }

        public Builder requestedDestination(@Nullable RequestedDestination value) {
            requestedDestination = value;
            return this;
        }

        public Builder instanceGroup(@Nullable InstanceGroup value) {
            instanceGroup = value;
            return this;
        }

        public Builder schedulerHints(SchedulerHints value) {
            schedulerHints = value;
            return this;
        }

        public Builder numaTopology(@Nullable InstanceNuma value) {
            numaTopology = value;
            return this;
        }

        public Builder pciRequests(List<PciRequest> value) {
            pciRequests = value;
            return this;
        }

        public Builder networkMetadata(@Nullable NetworkMetadata value) {
            networkMetadata = value;
            return this;
        }

        public Builder requestedResources(List<OutsideGroup> value) {
            requestedResources = value;
            return this;
        }

        public Builder requestLevelParams(RequestLevelParams value) {
            requestLevelParams = value;
            return this;
        }

        public Builder requestedNetworks(List<RequestedNetwork> value) {
            requestedNetworks = value;
            return this;
        }

        public Builder retry(@Nullable Retry value) {
            retry = value;
            return this;
        }

        public Builder bootFromVolume(boolean value) {
            bootFromVolume = value;
            return this;
        }

        public Builder names(RequestNames value) {
            names = value;
            return this;
        }

        public RequestSpec build() {
            return new RequestSpec(
                    instanceUuid,
                    instanceUuids,
                    numInstances,
                    projectId,
                    userId,
                    flavor,
                    image,
                    imageProperties,
                    availabilityZone,
                    ignoreHosts,
                    forceHosts,
                    forceNodes,
                    requestedDestination,
                    instanceGroup,
                    schedulerHints,
                    numaTopology,
                    pciRequests,
                    networkMetadata,
                    requestedResources,
                    requestLevelParams,
                    requestedNetworks,
                    retry,
                    bootFromVolume,
                    names);
        }
    }
}
