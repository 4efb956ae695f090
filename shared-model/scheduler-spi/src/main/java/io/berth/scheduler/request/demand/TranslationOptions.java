package io.berth.scheduler.request.demand;

import io.berth.scheduler.config.Options;

/**
 * The options that shape the query to placement. {@link Options.Scheduler} and {@link Options.Workarounds} describe the
 * options that have no description here.
 *
 * @param maxPlacementResults maximum number of candidates in the response, at least 1; {@link #NO_LIMIT} for all
 * @param requireOwnerNova whether the root provider, and the providers of PCI requests, must have the trait OWNER_NOVA
 * @param requireTpmModel whether a request for a virtual TPM requires the trait of the TPM's model
 * @param requireTpmSecretSecurity whether a request for a virtual TPM requires the trait of the mode in which the TPM's
 *         secret is stored
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
    /** The value of {@code maxPlacementResults} for a query without a limit. */
    public static final int NO_LIMIT = 0;
    /** The default of each option. {@code requireOwnerNova} is false, as for compute services of unknown version. */
    public static final TranslationOptions DEFAULTS =
            new TranslationOptions(1000, false, false, false, false, false, false, true, false, false, true, true);

    public TranslationOptions withoutLimit() {
        return new TranslationOptions(
                NO_LIMIT, limitTenantsToPlacementAggregate, placementAggregateRequiredForTenants,
                queryPlacementForImageTypeSupport, enableIsolatedAggregateFiltering, imageMetadataPrefilter,
                queryPlacementForRoutedNetworkAggregates, queryPlacementForAvailabilityZone,
                disableFallbackPcpuQuery, requireOwnerNova, requireTpmModel, requireTpmSecretSecurity);
    }

    /** Returns the value that consists of some of nova's options and of three settings of the service. */
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
