package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The image properties that the scheduler knows, with their types and older names.
 * <br>Source: nova {@code objects/image_meta.py}, {@code objects/fields.py}.
 */
final class ImagePropertyTypes {
    /**
     * The type of a property's value. In nova, a {@code CHOICE} is one of a fixed set of texts; {@link #CHOICES} says
     * which sets are checked here.
     */
    enum Type {
        BOOLEAN,
        INTEGER,
        TEXT,
        CHOICE,
        ARCHITECTURE,
        HYPERVISOR_TYPE,
        VM_MODE,
        VERSION_PREDICATE,
        LIST
    }

    /** The type of each property, by the property's current name. */
    private static final Map<String, Type> TYPES = new HashMap<>();
    /**
     * The permitted values of those properties of the type {@code CHOICE} that decisions use. The others may have any
     * value.
     */
    private static final Map<String, Set<String>> CHOICES = Map.of(
            "hw_cpu_policy", Set.of("shared", "dedicated", "mixed"),
            "hw_cpu_thread_policy", Set.of("prefer", "isolate", "require"),
            "hw_pci_numa_affinity_policy", Set.of("required", "legacy", "preferred", "socket"));

    private static final Set<String> ARCHITECTURES = words(
            """
            alpha armv6 armv7l armv7b aarch64 cris i686 ia64 lm32 m68k microblaze microblazeel mips mipsel mips64
            mips64el openrisc parisc parisc64 ppc ppcle ppc64 ppc64le ppcemb s390 s390x sh4 sh4eb sparc sparc64
            unicore32 x86_64 xtensa xtensaeb""");
    private static final Set<String> HYPERVISOR_TYPES = words(
            """
            baremetal bhyve docker fake hyperv ironic kqemu kvm lxc lxd openvz parallels vz phyp qemu test uml vbox
            vmware xen zvm prsm""");
    private static final Set<String> VM_MODES = Set.of("hvm", "xen", "uml", "exe");

    static {
        declare(
                Type.BOOLEAN,
                """
                hw_boot_menu hw_firmware_stateless hw_ipxe_boot hw_locked_memory hw_mem_encryption hw_pmu
                hw_qemu_guest_agent hw_time_hpet hw_vif_multiqueue_enabled hw_ephemeral_encryption
                hw_virtio_packed_ring img_bittorrent img_bdm_v2 img_cache_in_nova img_linked_clone img_use_agent
                img_hide_hypervisor_id os_require_quiesce os_skip_agent_inject_files_at_boot
                os_skip_agent_inject_ssh""");
        declare(
                Type.INTEGER,
                """
                hw_cpu_cores hw_cpu_sockets hw_cpu_threads hw_cpu_max_cores hw_cpu_max_sockets hw_cpu_max_threads
                hw_device_id hw_maxphysaddr_bits hw_numa_nodes hw_redirected_usb_ports hw_serial_port_count
                hw_video_ram img_compression_level img_version""");
        declare(
                Type.TEXT,
                """
                hw_auto_disk_config hw_cpu_realtime_mask hw_disk_type hw_machine_type hw_mem_page_size img_owner_id
                img_root_device_name img_signature os_admin_user os_command_line os_distro
                hw_ephemeral_encryption_secret_uuid img_signature_certificate_uuid""");
        declare(
                Type.CHOICE,
                """
                hw_cdrom_bus hw_disk_bus hw_floppy_bus hw_rescue_bus hw_rescue_device hw_cpu_policy
                hw_cpu_thread_policy hw_firmware_type hw_input_bus hw_mem_encryption_model
                hw_pci_numa_affinity_policy hw_pointer_model hw_rng_model hw_scsi_model hw_video_model hw_vif_model
                hw_viommu_model hw_watchdog_action hw_tpm_model hw_tpm_version hw_ephemeral_encryption_format
                hw_maxphysaddr_mode hw_sound_model hw_usb_model img_config_drive img_signature_hash_method
                img_signature_key_type os_secure_boot os_type""");
        declare(Type.ARCHITECTURE, "hw_architecture hw_emulation_architecture");
        declare(Type.HYPERVISOR_TYPE, "img_hv_type");
        declare(Type.VM_MODE, "hw_vm_mode");
        declare(Type.VERSION_PREDICATE, "img_hv_requested_version");
        declare(Type.LIST, "img_block_device_mapping img_mappings hw_numa_cpus hw_numa_mem traits_required");
    }

    /** The current names of properties by their older names. */
    static final Map<String, String> LEGACY_NAMES = Map.ofEntries(
            Map.entry("architecture", "hw_architecture"),
            Map.entry("hypervisor_type", "img_hv_type"),
            Map.entry("hypervisor_version_requires", "img_hv_requested_version"),
            Map.entry("vm_mode", "hw_vm_mode"),
            Map.entry("owner_id", "img_owner_id"),
            Map.entry("vmware_disktype", "hw_disk_type"),
            Map.entry("vmware_image_version", "img_version"),
            Map.entry("vmware_ostype", "os_distro"),
            Map.entry("vmware_linked_clone", "img_linked_clone"),
            Map.entry("auto_disk_config", "hw_auto_disk_config"),
            Map.entry("ipxe_boot", "hw_ipxe_boot"),
            Map.entry("xenapi_device_id", "hw_device_id"),
            Map.entry("xenapi_image_compression_level", "img_compression_level"),
            Map.entry("xenapi_use_agent", "img_use_agent"),
            Map.entry("xenapi_skip_agent_inject_ssh", "os_skip_agent_inject_ssh"),
            Map.entry("xenapi_skip_agent_inject_files_at_boot", "os_skip_agent_inject_files_at_boot"),
            Map.entry("cache_in_nova", "img_cache_in_nova"),
            Map.entry("bittorrent", "img_bittorrent"),
            Map.entry("mappings", "img_mappings"),
            Map.entry("block_device_mapping", "img_block_device_mapping"),
            Map.entry("bdm_v2", "img_bdm_v2"),
            Map.entry("root_device_name", "img_root_device_name"));

    /** Image properties that other services read, which must not be reported as misspelled. */
    private static final Set<String> OTHER_SERVICES = Set.of(
            "base_image_ref", "image_type", "instance_uuid", "kernel_id", "os_hash_algo", "os_hash_value", "os_hidden",
            "os_version", "ramdisk_id");
    private static final Set<String> NAMES = names(TYPES.keySet(), LEGACY_NAMES.keySet());

    private ImagePropertyTypes() {}

    private static Set<String> names(Set<String> present, Set<String> legacy) {
        Set<String> names = new HashSet<>(present);
        names.addAll(legacy);
        return Set.copyOf(names);
    }

    /** Returns the current names and the older names of all known properties. */
    static Set<String> names() {
        return NAMES;
    }

    /** Returns whether the scheduler knows a property of this current or older name, or another service reads it. */
    static boolean isKnown(String name) {
        return NAMES.contains(name) || OTHER_SERVICES.contains(name);
    }

    /** Returns the type of a property by its current name; null if the scheduler does not know the property. */
    static @Nullable Type find(String name) {
        return TYPES.get(name);
    }

    /**
     * Returns whether a property is read under its own name. {@code hw_numa_cpus}, {@code hw_numa_mem} and {@code
     * traits_required} are not: {@link ImagePropertyReader} collects them from properties with numbered names, or with
     * the prefix {@code trait:}.
     */
    static boolean isReadByName(String name) {
        Type type = TYPES.get(name);
        return type != null && (type != Type.LIST || name.startsWith("img_"));
    }

    /** Returns whether a property may have this value; true for a property without a list of permitted values. */
    static boolean permits(String name, String value) {
        Set<String> choices = CHOICES.get(name);
        return choices == null || choices.contains(value);
    }

    /** Returns the canonical name of a CPU architecture; null if it is unknown. */
    static @Nullable String architecture(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        String canonical =
                switch (name) {
                    case "i386", "i486", "i586", "x86_32", "x86_32p" -> "i686";
                    case "amd64" -> "x86_64";
                    default -> name;
                };
        return ARCHITECTURES.contains(canonical) ? canonical : null;
    }

    /** Returns the canonical name of a hypervisor type; null if it is unknown. */
    static @Nullable String hypervisorType(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        String canonical = name.equals("xapi") ? "xen" : name;
        return HYPERVISOR_TYPES.contains(canonical) ? canonical : null;
    }

    /** Returns the canonical name of a VM mode; null if it is unknown. */
    static @Nullable String vmMode(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        String canonical =
                switch (name) {
                    case "pv" -> "xen";
                    case "hv", "baremetal" -> "hvm";
                    default -> name;
                };
        return VM_MODES.contains(canonical) ? canonical : null;
    }

    private static void declare(Type type, String names) {
        words(names).forEach(name -> TYPES.put(name, type));
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
