package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.request.query.TranslationOptions;
import java.util.Collection;
import java.util.Objects;

/**
 * What prefilters know beside the request.
 *
 * @param aggregates all host aggregates
 */
public record PrefilterInputs(TranslationOptions options, Collection<RegisteredAggregate> aggregates) {
    public PrefilterInputs {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(aggregates, "aggregates");
    }
}
