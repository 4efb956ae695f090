package io.berth.placement.allocation;

import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.http.Responses;
import io.berth.placement.ledger.claim.ClaimResult;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Converts the result of a claim (a request to change allocations) to a response: 204, or an {@link ApiException}, with
 * upstream's message if upstream has this error. A constant stands for a kind of route; the kinds differ only in the
 * beginning of the message for an unknown resource class.
 */
public enum ClaimResponse {
    /** PUT and DELETE of one consumer's allocations. */
    ONE_CONSUMER("Unable to allocate inventory for consumer %s: "),
    /** POST of several consumers' allocations, or of a settlement. */
    MANY_CONSUMERS("Unable to allocate inventory "),
    /** POST of a reshape. */
    RESHAPE("malformed reshaper data: ");

    /** The beginning of the message for an unknown resource class, a format with the consumer's uuid as argument. */
    private final String unknownClassPrefix;

    ClaimResponse(String unknownClassPrefix) {
        this.unknownClassPrefix = unknownClassPrefix;
    }

    /**
     * Returns 204 if the claim was committed.
     *
     * @param consumer the consumer in the route's path; null if the route has no consumer in its path
     * @throws ApiException if the claim was refused; 503 if its outcome is unknown, or if nothing was written because
     *         the ledger's queue is full, a lock was not released in time, or the database does not respond
     */
    public Response toResponse(ClaimResult result, @Nullable UUID consumer) {
        return switch (result) {
            case ClaimResult.Claimed claimed -> Responses.noContent();
            case ClaimResult.Settled settled -> throw new IllegalStateException("Settled without a settlement");
            case ClaimResult.Unavailable unavailable -> throw ApiException.unavailable(unavailable.reason());
            case ClaimResult.Indeterminate indeterminate -> throw ApiException.unavailable(indeterminate.reason());
            case ClaimResult.Refused refused -> throw refusal(refused, consumer);
        };
    }

    ApiException refusal(ClaimResult.Refused refused, @Nullable UUID consumer) {
        return switch (refused) {
            case ClaimResult.Fenced fenced -> ApiException.fenced(
                    fenced.consumer(), fenced.fence(),
                    "The fence of consumer " + fenced.consumer() + " is " + fenced.fence() + ": " + fenced.given()
                            + " is too low.");
            case ClaimResult.ConsumerGenerationConflict conflict -> ApiException.concurrentUpdate(
                    "consumer generation conflict - expected "
                            + (conflict.actual() == null ? "null" : conflict.actual())
                            + " but got " + (conflict.given() == null ? "None" : conflict.given()));
            case ClaimResult.NothingAllocated nothing ->
                ApiException.notFound("No allocations for consumer '" + nothing.consumer() + "'");
            case ClaimResult.NoSuchProvider missing -> noSuchProvider(missing.provider().toString());
            case ClaimResult.NoSuchResourceClass missing -> ApiException.badRequest(
                    unknownClassPrefix.formatted(consumer) + "No such resource class " + missing.resourceClass() + ".");
            case ClaimResult.NoInventory missing -> unable(
                    "Inventory for '" + String.join(", ", missing.resourceClasses()) + "' on resource provider '"
                            + missing.providers().stream().map(UUID::toString).collect(Collectors.joining(", "))
                            + "' invalid.");
            case ClaimResult.PortionRefused portion -> unable(
                    "Unable to create allocation for '" + portion.resourceClass() + "' on resource provider '"
                            + portion.provider() + "'. The requested amount would violate inventory constraints.");
            case ClaimResult.CapacityExceeded exceeded -> unable(
                    "Unable to create allocation for '" + exceeded.resourceClass() + "' on resource provider '"
                            + exceeded.provider() + "'. The requested amount would exceed the capacity.");
            case ClaimResult.NoSuchReshapedProvider missing -> noSuchReshapedProvider(missing.provider().toString());
            case ClaimResult.ProviderGenerationConflict conflict -> ApiException.concurrentUpdate(
                    "resource provider generation conflict for provider " + conflict.provider() + ": actual: "
                            + conflict.actual() + ", given: " + conflict.given());
            case ClaimResult.InventoryInUse inUse -> new ApiException(
                    409, ErrorCode.INVENTORY_IN_USE,
                    "update conflict: Inventory for '" + String.join(", ", inUse.resourceClasses())
                            + "' on resource provider '" + inUse.provider() + "' in use.");
        };
    }

    /** Returns the error for a claim on a provider that does not exist. */
    static ApiException noSuchProvider(String uuid) {
        return ApiException.badRequest("Allocation for resource provider '" + uuid + "' that does not exist.");
    }

    /** Returns the error for a reshape of a provider that does not exist. */
    public static ApiException noSuchReshapedProvider(String uuid) {
        return new ApiException(
                400, ErrorCode.RESOURCE_PROVIDER_NOT_FOUND,
                "Resource provider " + uuid + " in inventories not found: No resource provider with uuid " + uuid
                        + " found");
    }

    private static ApiException unable(String reason) {
        return ApiException.conflict("Unable to allocate inventory: " + reason);
    }
}
