package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.TranslationOptions;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The inputs of prefilters in addition to the request.
 *
 * @param aggregates all host aggregates that have a uuid and a name
 * @param aggregatesBySegment by the uuid of a network segment, the uuids of the aggregates that placement has for the
 *         segment's provider; contains only segments that hosts must reach
 * @param options the options that shape the query
 */
public record PrefilterInputs(
        TranslationOptions options,
        Collection<HostAggregate> aggregates,
        Map<String, Set<String>> aggregatesBySegment) {
    public PrefilterInputs(TranslationOptions options, Collection<HostAggregate> aggregates) {
        this(options, aggregates, Map.of());
    }

    public PrefilterInputs {
        Objects.requireNonNull(aggregatesBySegment, "aggregatesBySegment");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(aggregates, "aggregates");
    }
}
