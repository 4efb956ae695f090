package io.berth.placement.allocation;

import io.berth.placement.http.ApiException;
import io.berth.placement.ledger.claim.Claim;

/**
 * Limits the size of one claim (a request to change allocations), because one transaction writes the claim and holds
 * its locked rows in memory.
 */
public final class ClaimSize {
    /**
     * The limit of {@link Claim#weight}: the number of amounts and inventories, plus one for each consumer, for each
     * provider whose inventories are replaced, and for the claim itself. A larger claim is refused with 400.
     */
    static final int ROWS_MAX = 50_000;

    private ClaimSize() {}

    /**
     * Returns the claim.
     *
     * @throws ApiException 400 if the weight of the claim exceeds {@link #ROWS_MAX}
     */
    public static Claim requireAllowedSize(Claim claim) {
        if (claim.weight() > ROWS_MAX) {
            throw ApiException.badRequest("The request names more than " + ROWS_MAX
                    + " amounts, consumers and providers.");
        }
        return claim;
    }
}
