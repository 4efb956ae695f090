package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.text.ValueText;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares image properties with the metadata of the host's aggregates. A metadata key that is also a property of the
 * image is compared, if Python treats the image's value as true. The host is rejected if the image's value is not among
 * the aggregates' values for the key, which are lists separated by commas.
 *
 * <p>Options: {@code aggregate_image_properties_isolation_namespace} (only metadata keys that begin with this namespace
 * and the separator are compared; default: all keys) and {@code aggregate_image_properties_isolation_separator}
 * (between the namespace and the rest of the key; default: a dot).
 * <br>Source: nova {@code scheduler/filters/aggregate_image_properties_isolation.py}.
 */
@Singleton
public final class AggregateImagePropertiesIsolation implements PreparedFilter, InsensitiveFilter {
    @Override
    public boolean runsOnRebuild() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.imageProperties().values().isEmpty()
                ? HostCheck.PASS
                : HostCheck.byAggregates(host -> compare(host, spec, options));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        String property = reason.values().get(2).toString();
        return List.of(
                new Remedy.AddToMetadata(property, List.of(String.valueOf(reason.wanted()))),
                new Remedy.Omit(List.of(RequestMember.imageProperty(property))));
    }

    private static Verdict compare(HostState host, RequestSpec spec, Options options) {
        String namespace = options.filterScheduler().isolationNamespace();
        String prefix = namespace == null || namespace.isEmpty()
                ? ""
                : namespace + options.filterScheduler().isolationSeparator();
        for (Map.Entry<String, Set<String>> entry : AggregateMetadata.itemsByKey(host).entrySet()) {
            Object imageValue = entry.getKey().startsWith(prefix) ? spec.imageProperties().find(entry.getKey()) : null;
            if (imageValue != null && !isFalseLike(imageValue)
                    && !entry.getValue().contains(ValueText.of(imageValue))) {
                return Verdict.reject("image_property", "image property %3$s=%1$s, aggregates allow %2$s",
                        ValueText.of(imageValue), entry.getValue(), entry.getKey());
            }
        }
        return Verdict.PASS;
    }

    /** Returns whether Python treats the value as false. Nova does not compare such values. */
    private static boolean isFalseLike(Object value) {
        return switch (value) {
            case Boolean bool -> !bool;
            case Long number -> number == 0;
            case String text -> text.isEmpty();
            case List<?> list -> list.isEmpty();
            default -> false;
        };
    }
}
