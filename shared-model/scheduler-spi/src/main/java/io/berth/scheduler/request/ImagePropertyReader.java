package io.berth.scheduler.request;

import io.berth.scheduler.numa.CpuList;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.ValueText;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses the unparsed properties of an image: translates legacy names, checks values and drops unknown properties.
 * Mutable; each object parses one image once.
 */
final class ImagePropertyReader {
    private final Map<String, Object> raw;
    private final Map<String, Object> values = new HashMap<>();
    /** The message about the first invalid property; null if there is none. */
    private @Nullable String problem;

    ImagePropertyReader(Map<String, Object> raw) {
        this.raw = raw;
    }

    ImageReading read() {
        if (raw.isEmpty()) {
            return new ImageReading.Read(ImageProperties.NONE);
        }
        raw.forEach((name, value) -> {
            String current = ImagePropertyTypes.LEGACY_NAMES.get(name);
            if (current != null) {
                set(current, value);
            }
        });
        translateAdapterType();
        // After the legacy names, so that a property under its current name takes precedence.
        raw.forEach((name, value) -> {
            if (ImagePropertyTypes.isReadByName(name)) {
                set(name, value);
            }
        });
        collectNumaCells();
        collectRequiredTraits();
        return problem == null
                ? new ImageReading.Read(new ImageProperties(values))
                : new ImageReading.Unreadable(problem);
    }

    /** Translates the adapter type of a VMware disk, which is either the bus ide or a model on the SCSI bus. */
    private void translateAdapterType() {
        Object adapter = raw.get("vmware_adaptertype");
        if (adapter == null) {
            return;
        }
        if (adapter.equals("ide")) {
            set("hw_disk_bus", "ide");
        } else {
            set("hw_disk_bus", "scsi");
            set("hw_scsi_model", adapter);
        }
    }

    /**
     * Collects the numbered properties {@code hw_numa_cpus.N} and {@code hw_numa_mem.N} into lists, from N = 0 to the
     * first gap. Stops after one cell more than {@link FlavorAndImage#CELLS_MAX}, which suffices to refuse the image.
     */
    private void collectNumaCells() {
        var cpus = new ArrayList<CpuSet>();
        while (cpus.size() <= FlavorAndImage.CELLS_MAX
                && raw.get("hw_numa_cpus." + cpus.size()) instanceof Object text) {
            switch (CpuList.parse(text.toString())) {
                case DerivedValue.Value<CpuSet>(CpuSet set) -> cpus.add(set);
                case DerivedValue.Refused<CpuSet>(String detail) -> {
                    refuse("hw_numa_cpus." + cpus.size(), detail);
                    cpus.add(CpuSet.EMPTY);
                }
            }
        }
        if (!cpus.isEmpty()) {
            values.put("hw_numa_cpus", List.copyOf(cpus));
        }
        var memoryMb = new ArrayList<Long>();
        while (memoryMb.size() <= FlavorAndImage.CELLS_MAX
                && raw.get("hw_numa_mem." + memoryMb.size()) instanceof Object text) {
            Long mb = parseInteger("hw_numa_mem." + memoryMb.size(), text);
            memoryMb.add(mb == null ? 0 : mb);
        }
        if (!memoryMb.isEmpty()) {
            values.put("hw_numa_mem", List.copyOf(memoryMb));
        }
    }

    /** Collects the traits of the properties {@code trait:NAME=required}. */
    private void collectRequiredTraits() {
        List<String> traits = raw.entrySet().stream()
                .filter(property -> property.getKey().startsWith("trait:") && "required".equals(property.getValue()))
                .map(property -> property.getKey().substring("trait:".length()))
                .toList();
        if (!traits.isEmpty()) {
            values.put("traits_required", traits);
        }
    }

    private void set(String name, @Nullable Object value) {
        if (value == null) {
            return;
        }
        Object canonical = canonical(name, value);
        if (canonical != null) {
            values.put(name, canonical);
        }
    }

    /**
     * Returns the value in canonical form. Returns null for an unknown property. Also returns null for an invalid
     * value, which becomes the {@link #problem} unless there is an earlier one.
     */
    private @Nullable Object canonical(String name, Object value) {
        return switch (ImagePropertyTypes.find(name)) {
            case BOOLEAN -> BooleanText.isTrue(value);
            case INTEGER -> parseInteger(name, value);
            case TEXT -> ValueText.of(value);
            case CHOICE -> ImagePropertyTypes.permits(name, value.toString())
                    ? value.toString()
                    : refuse(name, "no permitted value: " + value);
            case ARCHITECTURE -> orRefuse(name, ImagePropertyTypes.architecture(value.toString()), value);
            case HYPERVISOR_TYPE -> orRefuse(name, ImagePropertyTypes.hypervisorType(value.toString()), value);
            case VM_MODE -> orRefuse(name, ImagePropertyTypes.vmMode(value.toString()), value);
            case VERSION_PREDICATE -> {
                VersionPredicate predicate = VersionPredicate.parse(value.toString());
                yield predicate == null ? refuse(name, "no version predicate: " + value) : predicate;
            }
            case LIST -> value instanceof List<?> list ? list.stream().map(ValueText::of).toList() : List.of(value);
            case null -> null;
        };
    }

    private @Nullable Long parseInteger(String name, Object value) {
        Long number =
                value instanceof Number given ? Long.valueOf(given.longValue()) : IntegerText.parse(value.toString());
        if (number == null) {
            refuse(name, "no integer: " + value);
        }
        return number;
    }

    private @Nullable Object orRefuse(String name, @Nullable String canonical, Object value) {
        return canonical != null ? canonical : refuse(name, "no permitted value: " + value);
    }

    /** Records the problem, unless there is an earlier one. Returns null. */
    private @Nullable Object refuse(String name, String detail) {
        if (problem == null) {
            problem = "image property %s: %s".formatted(name, detail);
        }
        return null;
    }
}
