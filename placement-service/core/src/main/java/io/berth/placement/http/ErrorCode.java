package io.berth.placement.http;

/**
 * Every {@code errors[0].code} of the API, shown from microversion 1.23. Source: upstream {@code placement/errors.py};
 * those that begin with {@code berth.} are Berth's own.
 */
public enum ErrorCode {
    /**
     * Any error without a code of its own; {@code detail} describes it.
     * <br>Status: any.
     * <br>Remedy: 400: change what {@code detail} names. 409: read again the data on which the request was based. 503:
     * send the request again after {@code Retry-After}.
     */
    UNDEFINED("placement.undefined_code"),
    /**
     * An inventory would be deleted although it has allocations, or would still have some after a reshape. {@code
     * DELETE} of a single inventory reports {@code placement.concurrent_update} instead, as upstream does.
     * <br>Status: 409.
     * <br>Remedy: move or delete the consumers first ({@code GET /resource_providers/{uuid}/allocations}).
     */
    INVENTORY_IN_USE("placement.inventory.inuse"),
    /**
     * A generation in the request is not the stored one: another client wrote first. This code is also used if {@code
     * POST} of an inventory finds that the inventory exists, or {@code DELETE} of a single inventory finds allocations.
     * <br>Status: 409.
     * <br>Remedy: read the resource provider or the consumer again, and repeat the change with its generation.
     */
    CONCURRENT_UPDATE("placement.concurrent_update"),
    /**
     * The number in {@code Berth-Fence}, or the fence of a settlement, is too low: another writer wrote or settled with
     * a higher number. {@code consumer} names the consumer, {@code fence} its present number.
     * <br>Status: 409.
     * <br>Remedy: give up, or, if the consumer is still yours to write, settle with a number above {@code fence}.
     */
    FENCED("berth.fenced"),
    /**
     * A resource provider with this name or uuid exists already.
     * <br>Status: 409.
     * <br>Remedy: choose another name or uuid, or change the existing resource provider.
     */
    DUPLICATE_NAME("placement.duplicate_name"),
    /**
     * The resource provider to be deleted has allocations.
     * <br>Status: 409.
     * <br>Remedy: move or delete its consumers first.
     */
    PROVIDER_IN_USE("placement.resource_provider.inuse"),
    /**
     * The resource provider to be deleted has children.
     * <br>Status: 409.
     * <br>Remedy: delete the children first ({@code GET /resource_providers?in_tree={uuid}}).
     */
    PROVIDER_CANNOT_DELETE_PARENT("placement.resource_provider.cannot_delete_parent"),
    /**
     * The inventories of {@code POST /reshaper} name a resource provider that does not exist.
     * <br>Status: 400.
     * <br>Remedy: create it first, or leave it out.
     */
    RESOURCE_PROVIDER_NOT_FOUND("placement.resource_provider.not_found"),
    /**
     * The state of the fleet that {@code view} in the request names is kept by another replica.
     * <br>Status: 409.
     * <br>Remedy: send the request again until it reaches that replica.
     */
    VIEW_ELSEWHERE("berth.view_elsewhere"),
    /**
     * The state of the fleet that {@code view} in the request names is not kept any longer: its time was up, or later
     * states needed the memory.
     * <br>Status: 409.
     * <br>Remedy: start again with a request without {@code view}.
     */
    VIEW_GONE("berth.view_gone"),
    /**
     * A query parameter is repeated that may occur only once.
     * <br>Status: 400.
     * <br>Remedy: send it once.
     */
    DUPLICATE_QUERY_KEY("placement.query.duplicate_key"),
    /**
     * A query parameter has an invalid value, or one that contradicts another.
     * <br>Status: 400.
     * <br>Remedy: change what {@code detail} names.
     */
    QUERY_BAD_VALUE("placement.query.bad_value"),
    /**
     * A required query parameter, or a value of one, is missing.
     * <br>Status: 400.
     * <br>Remedy: send at least one {@code resources}, or the value that {@code detail} names.
     */
    QUERY_MISSING_VALUE("placement.query.missing_value");

    private final String wire;

    ErrorCode(String wire) {
        this.wire = wire;
    }

    /** Returns the text of the code in error bodies. */
    public String wire() {
        return wire;
    }
}
