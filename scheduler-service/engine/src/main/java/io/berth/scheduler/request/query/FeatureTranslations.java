package io.berth.scheduler.request.query;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.pci.PciConstraints;
import io.berth.scheduler.pci.PciNumaPolicy;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.Violations;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Translates features that flavors and images request, such as a virtual TPM, to traits and resources of the unsuffixed
 * group.
 * <br>Source: nova {@code scheduler/utils.py} (the translate_* methods of ResourceRequest).
 */
final class FeatureTranslations {
    private static final Set<String> ENCRYPTION_MODELS = Set.of("amd-sev", "amd-sev-es", "amd-sev-snp");

    private final FlavorAndImage source;
    private final GroupDraft group;
    private final Violations violations = new Violations();

    private FeatureTranslations(FlavorAndImage source, GroupDraft group) {
        this.source = source;
        this.group = group;
    }

    /**
     * Adds the traits and resources to the unsuffixed group. If features are invalid, returns a refusal that lists
     * them; otherwise a value that is null.
     */
    static DerivedValue<Void> apply(FlavorAndImage source, GroupDraft unsuffixed, TranslationOptions options) {
        FeatureTranslations features = new FeatureTranslations(source, unsuffixed);
        features.addMemoryEncryption();
        features.addPersistentMemory();
        features.addTpm(options.requireTpmModel());
        features.addPciSocketAffinity();
        features.addSecureBoot();
        features.addMaxPhysicalAddress();
        features.addStatelessFirmware();
        return features.violations.orValue(null);
    }

    private void addMemoryEncryption() {
        Boolean isRequested = violations.valueOf(FlavorImageProperty.flag(source, "mem_encryption"));
        if (isRequested == null || !isRequested) {
            return;
        }
        String statedModel = violations.valueOf(FlavorImageProperty.text(source, "mem_encryption_model"));
        String model = statedModel == null ? "amd-sev" : statedModel;
        if (!ENCRYPTION_MODELS.contains(model)) {
            violations.add("hw:mem_encryption_model must be amd-sev, amd-sev-es or amd-sev-snp");
            return;
        }
        if (!"uefi".equals(source.image("hw_firmware_type"))) {
            violations.add("memory encryption needs an image with hw_firmware_type=uefi");
        }
        String machine = source.image("hw_machine_type");
        if (machine != null && !machine.contains("q35")) {
            violations.add("memory encryption needs a q35 machine type, not " + machine);
        }
        if (model.equals("amd-sev-snp") && !FlavorImageProperty.imageFlag(source, "hw_firmware_stateless")) {
            violations.add("amd-sev-snp needs an image with hw_firmware_stateless=true");
        }
        group.resources.put("MEM_ENCRYPTION_CONTEXT", 1L);
        group.requiredTraits.add("HW_CPU_X86_" + model.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private void addPersistentMemory() {
        String labels = source.flavor("hw:pmem");
        if (labels == null) {
            return;
        }
        Map<String, Long> counts = new TreeMap<>();
        for (String label : labels.split(",")) {
            if (!label.isBlank()) {
                counts.merge("CUSTOM_" + PlacementNames.normalized("PMEM_NAMESPACE_" + label.strip()), 1L, Long::sum);
            }
        }
        group.resources.putAll(counts);
    }

    private void addTpm(boolean withModelTrait) {
        String version = violations.valueOf(FlavorImageProperty.text(source, "tpm_version"));
        if (version == null) {
            return;
        }
        String model = violations.valueOf(FlavorImageProperty.text(source, "tpm_model"));
        if (!version.equals("1.2") && !version.equals("2.0")) {
            violations.add("hw:tpm_version must be 1.2 or 2.0");
        }
        boolean isCrb = "tpm-crb".equals(model);
        if (model != null && !isCrb && !model.equals("tpm-tis")) {
            violations.add("hw:tpm_model must be tpm-tis or tpm-crb");
        }
        if (isCrb && version.equals("1.2")) {
            violations.add("tpm-crb needs TPM version 2.0");
        }
        // As in nova, a TPM without a stated model is a TIS.
        if (withModelTrait) {
            group.requiredTraits.add(isCrb ? "COMPUTE_SECURITY_TPM_CRB" : "COMPUTE_SECURITY_TPM_TIS");
        }
        group.requiredTraits.add(
                version.equals("2.0") ? "COMPUTE_SECURITY_TPM_2_0" : "COMPUTE_SECURITY_TPM_1_2");
    }

    private void addPciSocketAffinity() {
        if (violations.valueOf(PciConstraints.numaPolicy(source)) == PciNumaPolicy.SOCKET) {
            group.requiredTraits.add("COMPUTE_SOCKET_PCI_NUMA_AFFINITY");
        }
    }

    private void addSecureBoot() {
        String secureBoot = violations.valueOf(FlavorImageProperty.text(source, "os:secure_boot", "os_secure_boot"));
        if ("required".equals(secureBoot)) {
            group.requiredTraits.add("COMPUTE_SECURITY_UEFI_SECURE_BOOT");
        }
    }

    private void addMaxPhysicalAddress() {
        String mode = violations.valueOf(FlavorImageProperty.text(source, "maxphysaddr_mode"));
        switch (mode) {
            case "passthrough" -> group.requiredTraits.add("COMPUTE_ADDRESS_SPACE_PASSTHROUGH");
            case "emulate" -> group.requiredTraits.add("COMPUTE_ADDRESS_SPACE_EMULATED");
            case null -> {}
            default -> violations.add("hw:maxphysaddr_mode must be passthrough or emulate");
        }
    }

    private void addStatelessFirmware() {
        if (FlavorImageProperty.imageFlag(source, "hw_firmware_stateless")
                && "uefi".equals(source.image("hw_firmware_type"))) {
            group.requiredTraits.add("COMPUTE_SECURITY_STATELESS_FIRMWARE");
        }
    }
}
