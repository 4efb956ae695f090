package io.berth.scheduler.request;

import java.util.Set;

/**
 * The extra specs that nova defines ({@link #KNOWN}), and the namespaces in which nova allows any name ({@link
 * #FREE_NAMESPACES}). The extra specs that begin with {@code resources} and {@code trait} are missing, and {@code
 * hw:numa_cpus} and {@code hw:numa_mem} lack the number at their end: {@link RequestWarnings} handles both kinds.
 * <br>Source: nova {@code api/validation/extra_specs/}.
 */
final class ExtraSpecNames {
    static final Set<String> KNOWN = Set.of(
            """
            accel:device_profile group_policy hide_hypervisor_id
            hw:boot_menu hw:cpu_cores hw:cpu_dedicated_mask hw:cpu_max_cores hw:cpu_max_sockets hw:cpu_max_threads
            hw:cpu_policy hw:cpu_realtime hw:cpu_realtime_mask hw:cpu_sockets hw:cpu_thread_policy hw:cpu_threads
            hw:emulator_threads_policy hw:ephemeral_encryption hw:ephemeral_encryption_format hw:hide_hypervisor_id
            hw:input_bus hw:locked_memory hw:maxphysaddr_bits hw:maxphysaddr_mode hw:mem_encryption
            hw:mem_encryption_model hw:mem_page_size hw:numa_cpus hw:numa_mem hw:numa_nodes
            hw:pci_numa_affinity_policy hw:pmem hw:pmu hw:redirected_usb_ports hw:serial_port_count hw:sound_model
            hw:tpm_model hw:tpm_secret_security hw:tpm_version hw:usb_model hw:vif_multiqueue_enabled
            hw:viommu_model hw:virtio_packed_ring hw:watchdog_action
            hw_rng:allowed hw_rng:rate_bytes hw_rng:rate_period hw_video:ram_max_mb os:secure_boot
            pci_passthrough:alias trust:trusted_host
            quota:cpu_limit quota:cpu_period quota:cpu_quota quota:cpu_reservation quota:cpu_shares
            quota:cpu_shares_level quota:cpu_shares_share quota:disk_io_limit quota:disk_io_reservation
            quota:disk_io_shares_level quota:disk_io_shares_share quota:disk_read_bytes_sec
            quota:disk_read_iops_sec quota:disk_total_bytes_sec quota:disk_total_iops_sec
            quota:disk_write_bytes_sec quota:disk_write_iops_sec quota:memory_limit quota:memory_reservation
            quota:memory_shares_level quota:memory_shares_share quota:vif_inbound_average quota:vif_inbound_burst
            quota:vif_inbound_peak quota:vif_limit quota:vif_outbound_average quota:vif_outbound_burst
            quota:vif_outbound_peak quota:vif_reservation quota:vif_shares_level quota:vif_shares_share
            """
                    .strip()
                    .split("\\s+"));
    static final Set<String> FREE_NAMESPACES =
            Set.of("aggregate_instance_extra_specs", "capabilities", "powervm", "vmware");

    private ExtraSpecNames() {}
}
