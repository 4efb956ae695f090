package io.berth.scheduler.request.demand;

import io.berth.scheduler.config.Options;

/**
 * The options that shape the query to placement, under nova's names.
 *
 * @param maxPlacementResults the most candidates to return, at least 1; {@link #NO_LIMIT} for all
 * @param requireOwnerNova whether only providers with the trait OWNER_NOVA are used
 * @param requireTpmModel whether a virtual TPM requires the trait of its model
 * @param requireTpmSecretSecurity whether a virtual TPM requires the trait of the place that keeps its secret
 */
public record TranslationOptions(
        int maxPlacementResults,
        boolean limitTenantsToPlacementAggregate,
        boolean placementAggregateRequiredForTenants,
        boolean queryPlacementForImageTypeSupport,
        boolean enableIsolatedAggregateFiltering,
        boolean imageMetadataPrefilter,
        boolean queryPlacementForRoutedNetworkAggregates,
        boolean queryPlacementForAvailabilityZone,
        boolean disableFallbackPcpuQuery,
        boolean requireOwnerNova,
        boolean requireTpmModel,
        boolean requireTpmSecretSecurity) {
    public static final int NO_LIMIT = 0;
    public static final TranslationOptions DEFAULTS =
            new TranslationOptions(1000, false, false, false, false, false, false, true, false, false, true, true);

    public TranslationOptions withoutLimit() {
        return new TranslationOptions(
                NO_LIMIT, limitTenantsToPlacementAggregate, placementAggregateRequiredForTenants,
                queryPlacementForImageTypeSupport, enableIsolatedAggregateFiltering, imageMetadataPrefilter,
                queryPlacementForRoutedNetworkAggregates, queryPlacementForAvailabilityZone,
                disableFallbackPcpuQuery, requireOwnerNova, requireTpmModel, requireTpmSecretSecurity);
    }

    /** Extracts the options that shape the query to placement. */
    public static TranslationOptions of(
            Options options, boolean requireOwnerNova, boolean requireTpmModel, boolean requireTpmSecretSecurity) {
        Options.Scheduler scheduler = options.scheduler();
        return new TranslationOptions(
                scheduler.maxPlacementResults(),
                scheduler.limitTenantsToPlacementAggregate(),
                scheduler.placementAggregateRequiredForTenants(),
                scheduler.queryPlacementForImageTypeSupport(),
                scheduler.enableIsolatedAggregateFiltering(),
                scheduler.imageMetadataPrefilter(),
                scheduler.queryPlacementForRoutedNetworkAggregates(),
                scheduler.queryPlacementForAvailabilityZone(),
                options.workarounds().disableFallbackPcpuQuery(),
                requireOwnerNova,
                requireTpmModel,
                requireTpmSecretSecurity);
    }
}
