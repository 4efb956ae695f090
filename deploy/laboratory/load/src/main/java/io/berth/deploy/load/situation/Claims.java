package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.ProviderSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The claims that a situation holds, oldest first, which it audits and releases at its end. */
final class Claims {
    private final ExpectedUsage expectedUsage;
    private final ArrayDeque<Claim> held = new ArrayDeque<>();

    Claims(ExpectedUsage expectedUsage) {
        this.expectedUsage = expectedUsage;
    }

    /** Adds a successful claim, also to the expected usage. */
    void hold(Claim claim) {
        held.add(claim);
        expectedUsage.take(claim.provider(), claim.amounts());
    }

    /** Adds a successful claim that is in the expected usage already. */
    void adopt(Claim claim) {
        held.add(claim);
    }

    /** Removes and returns the oldest claim, which the caller must release; the expected usage still have it. */
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
                    : claim.delete("release", () -> expectedUsage.giveBack(claim.provider(), claim.amounts()));
        }));
        return problems;
    }
}
