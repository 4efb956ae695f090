package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.ExpectedUse;
import io.berth.deploy.load.fleet.ProviderSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The claims that a situation holds, oldest first, which it audits and releases at its end. */
final class Claims {
    private final ExpectedUse books;
    private final ArrayDeque<Claim> held = new ArrayDeque<>();

    Claims(ExpectedUse books) {
        this.books = books;
    }

    /** Adds a successful claim, also to the books. */
    void hold(Claim claim) {
        held.add(claim);
        books.take(claim.provider(), claim.amounts());
    }

    /** Adds a successful claim that is in the books already. */
    void adopt(Claim claim) {
        held.add(claim);
    }

    /** Removes and returns the oldest claim, which the caller must release; the books still have it. */
    Claim takeOldest() {
        return held.remove();
    }

    int count() {
        return held.size();
    }

    /**
     * Audits the providers of the claims, then releases the claims. Returns problems, one line each.
     *
     * @param guests providers outside of the fleet that are audited too
     */
    List<String> auditAndRelease(Stage stage, List<ProviderSpec> guests) throws InterruptedException {
        List<String> problems = new ArrayList<>(stage.audit(guests));
        problems.addAll(stage.play(stage.placement(), () -> {
            Claim claim = held.poll();
            return claim == null
                    ? null
                    : claim.delete("release", () -> books.giveBack(claim.provider(), claim.amounts()));
        }));
        return problems;
    }
}
