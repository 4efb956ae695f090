package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Runs Berth's own prefilters in nova's order, then those of extensions. The order matters, because each prefilter gets
 * the request with the changes of the previous ones.
 */
public final class RequestPrefilters {
    private static final Logger LOG = Logger.getLogger(RequestPrefilters.class);
    private static final double NANOS_PER_MS = 1_000_000;

    /** The standard prefilters. Source: nova {@code scheduler/request_filter.py} (ALL_REQUEST_FILTERS). */
    static final List<RequestPrefilter> IN_ORDER = List.of(
            new RequireTenantAggregate(),
            new MapAzToPlacementAggregate(),
            new RequireImageTypeSupport(),
            new ComputeStatusFilter(),
            new IsolateAggregates(),
            new TransformImageMetadata(),
            new AcceleratorsFilter(),
            new PackedVirtqueueFilter(),
            new RoutedNetworksFilter(),
            new RemoteManagedPortsFilter(),
            new EphemeralEncryptionFilter(),
            new VirtioSoundFilter(),
            new TpmSecretSecurityFilter(),
            new OwnerNovaFilter());

    private final List<RequestPrefilter> prefilters;

    /** @param extensions prefilters of extensions, which run in this order after the standard ones */
    public RequestPrefilters(List<RequestPrefilter> extensions) {
        this(Stream.concat(IN_ORDER.stream(), extensions.stream()));
    }

    private RequestPrefilters(Stream<RequestPrefilter> all) {
        this.prefilters = all.toList();
    }

    /**
     * Returns these prefilters, each replaced by the result of {@code around}, which for example measures durations.
     */
    public RequestPrefilters wrapEach(UnaryOperator<RequestPrefilter> around) {
        return new RequestPrefilters(prefilters.stream().map(around));
    }

    /** Receives the request before and after each prefilter that did not end the request. */
    @FunctionalInterface
    public interface Steps {
        void prefiltered(String name, PlacementRequest before, PlacementRequest after);
    }

    /**
     * Applies the prefilters in order, up to the first one that does not return {@link PrefilterResult.Continue}.
     * Returns the result of this prefilter; if there is none, the request with all changes.
     */
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs, Steps steps) {
        PlacementRequest current = request;
        for (RequestPrefilter prefilter : prefilters) {
            long startNanos = System.nanoTime();
            PrefilterResult result = prefilter.apply(current, inputs);
            if (!(result instanceof PrefilterResult.Continue(PlacementRequest next))) {
                return result;
            }
            if (next != current && LOG.isDebugEnabled()) {
                LOG.debugf("prefilter=%s ms=%.3f", prefilter.name(), (System.nanoTime() - startNanos) / NANOS_PER_MS);
            }
            steps.prefiltered(prefilter.name(), current, next);
            current = next;
        }
        return new PrefilterResult.Continue(current);
    }
}
