package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.SupportedInstance;
import io.berth.scheduler.request.ImageProperties;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.VersionPredicate;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Rejects hosts whose hypervisor does not run guests of the architecture, hypervisor type and VM mode that the image
 * states, and hosts that do not report which guests they run. Of the remaining hosts, also rejects those whose
 * hypervisor version or number of physical address bits does not meet the image's demand; a host that does not report
 * the version or number passes. If the image states no architecture, hypervisor type or VM mode, and the option states
 * no architecture, every host passes, and nothing else is compared.
 *
 * <p>Option: {@code image_properties_default_architecture}, for images that state no architecture.
 * <br>Differs from nova: nova fails if an image requests physical address bits, because it does not parse {@code
 * cpu_info}, which is text; here the text is parsed.
 * <br>Source: nova {@code scheduler/filters/image_props_filter.py}.
 */
@Singleton
public final class ImagePropertiesFilter implements PreparedFilter, InsensitiveFilter {
    /** The base of a hypervisor version number: each component of the version has three decimal digits. */
    private static final int VERSION_COMPONENT_BASE = 1000;
    /** Remedies that omit an image property about the kind of guest, under its present or its legacy name. */
    private static final List<Remedy> GUEST_KIND = Remedy.omitOneOf(
            RequestMember.imageProperty("hw_architecture"), RequestMember.imageProperty("architecture"),
            RequestMember.imageProperty("img_hv_type"), RequestMember.imageProperty("hypervisor_type"),
            RequestMember.imageProperty("hw_vm_mode"), RequestMember.imageProperty("vm_mode"));

    @Override
    public boolean runsOnRebuild() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        List<String> requiredKind = requiredKind(spec.imageProperties(), options);
        if (requiredKind.isEmpty()) {
            return HostCheck.PASS;
        }
        VersionPredicate conditions =
                spec.imageProperties().find("img_hv_requested_version") instanceof VersionPredicate found
                        ? found
                        : null;
        Long bits = spec.imageProperties().integer("hw_maxphysaddr_bits");
        HostCheck runsGuests = HostCheck.by(HostState::supportedInstances, host -> runsGuests(host, requiredKind));
        if (conditions == null && bits == null) {
            return runsGuests;
        }
        var parsedTexts = new ParsedTexts();
        return host -> {
            Verdict runs = runsGuests.check(host);
            if (runs != Verdict.PASS) {
                return runs;
            }
            Long version = host.hypervisorVersion();
            if (conditions != null && version != null && version != 0 && !conditions.holdsFor(formatVersion(version))) {
                return Verdict.reject("hypervisor_version", "image needs hypervisor %s, host has %s",
                        conditions.text(), formatVersion(version));
            }
            Long offeredBits = bits == null ? null : parsedTexts.physicalAddressBits(host);
            return bits != null && offeredBits != null && offeredBits < bits
                    ? Verdict.lacking(
                            bits - offeredBits, "address_bits", "image needs %d address bits, host has %d", bits,
                            offeredBits)
                    : Verdict.PASS;
        };
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return switch (reason.code()) {
            case "hypervisor_version" -> Remedy.omitOneOf(
                    RequestMember.imageProperty("img_hv_requested_version"),
                    RequestMember.imageProperty("hypervisor_version_requires"));
            case "address_bits" -> Remedy.omitOneOf(RequestMember.imageProperty("hw_maxphysaddr_bits"));
            default -> GUEST_KIND;
        };
    }

    private static Verdict runsGuests(HostState host, List<String> requiredKind) {
        String needs = String.join("/", requiredKind);
        if (host.supportedInstances() == null || host.supportedInstances().isEmpty()) {
            return Verdict.reject("nothing_supported", "host does not report which guests it runs", needs, List.of());
        }
        return runs(host.supportedInstances(), requiredKind)
                ? Verdict.PASS
                : Verdict.reject("guest_kind", "image needs %s, host offers %s", needs, host.supportedInstances());
    }

    private static boolean runs(List<SupportedInstance> kinds, List<String> requiredKind) {
        for (SupportedInstance kind : kinds) {
            if (kind.words().containsAll(requiredKind)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the architecture, hypervisor type and VM mode that the image requires, without those that the image does
     * not state. An architecture that the image does not state is that of the option, if it is set.
     */
    private static List<String> requiredKind(ImageProperties image, Options options) {
        String architecture = image.text("hw_architecture");
        String defaultArchitecture = options.filterScheduler().imagePropertiesDefaultArchitecture();
        if (architecture == null && defaultArchitecture != null) {
            architecture = ImageProperties.architecture(defaultArchitecture);
        }
        return Stream.of(architecture, image.text("img_hv_type"), image.text("hw_vm_mode"))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Formats a hypervisor version: 2012000 becomes 2.12.0. */
    static String formatVersion(long number) {
        var components = new ArrayList<String>();
        for (long rest = Math.abs(number); rest > 0; rest /= VERSION_COMPONENT_BASE) {
            components.addFirst(Long.toString(rest % VERSION_COMPONENT_BASE));
        }
        return String.join(".", components);
    }
}
