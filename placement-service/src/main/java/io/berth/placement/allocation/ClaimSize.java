package io.berth.placement.allocation;

import io.berth.placement.http.ApiException;
import io.berth.placement.ledger.claim.Claim;

/** Limits the size of one claim, because a claim is one transaction, whose rows are locked and decided on in memory. */
public final class ClaimSize {
    /** The limit of amounts, inventories, and the consumers and providers that they belong to. */
    static final int ROWS_MAX = 50_000;

    private ClaimSize() {}

    /** Returns the claim; refuses it with 400 if it is too large. */
    public static Claim checked(Claim claim) {
        if (claim.weight() > ROWS_MAX) {
            throw ApiException.badRequest("The request names more than " + ROWS_MAX + " amounts, consumers and providers.");
        }
        return claim;
    }
}
