package io.berth.placement.http;

/**
 * Every {@code errors[0].code} of the API, shown from microversion 1.23. Source: upstream {@code placement/errors.py}.
 */
public enum ErrorCode {
    UNDEFINED("placement.undefined_code"),
    INVENTORY_IN_USE("placement.inventory.inuse"),
    CONCURRENT_UPDATE("placement.concurrent_update"),
    DUPLICATE_NAME("placement.duplicate_name"),
    PROVIDER_IN_USE("placement.resource_provider.inuse"),
    PROVIDER_CANNOT_DELETE_PARENT("placement.resource_provider.cannot_delete_parent"),
    RESOURCE_PROVIDER_NOT_FOUND("placement.resource_provider.not_found"),
    DUPLICATE_QUERY_KEY("placement.query.duplicate_key"),
    QUERY_BAD_VALUE("placement.query.bad_value"),
    QUERY_MISSING_VALUE("placement.query.missing_value");

    private final String wire;

    ErrorCode(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }
}
