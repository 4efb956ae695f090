package io.berth.model;

import java.util.Set;

/**
 * The names of the standard resource classes. All other resource classes start with {@code CUSTOM_}. Source:
 * os-resource-classes.
 */
public final class StandardResourceClasses {
    /** The names in upstream's order. Unmodifiable. */
    public static final Set<String> NAMES = Names.parse("""
            VCPU
            MEMORY_MB
            DISK_GB
            PCI_DEVICE
            SRIOV_NET_VF
            NUMA_SOCKET
            NUMA_CORE
            NUMA_THREAD
            NUMA_MEMORY_MB
            IPV4_ADDRESS
            VGPU
            VGPU_DISPLAY_HEAD
            NET_BW_EGR_KILOBIT_PER_SEC
            NET_BW_IGR_KILOBIT_PER_SEC
            PCPU
            MEM_ENCRYPTION_CONTEXT
            FPGA
            PGPU
            NET_PACKET_RATE_KILOPACKET_PER_SEC
            NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC
            NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC
            """);

    private StandardResourceClasses() {}
}
