package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.ProviderSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The present claims of a situation, in the order in which they were added. The situation checks and releases them at
 * its end.
 */
final class Claims {
    private final ExpectedUsage expectedUsage;
    private final ArrayDeque<Claim> claims = new ArrayDeque<>();

    Claims(ExpectedUsage expectedUsage) {
        this.expectedUsage = expectedUsage;
    }

    /** Adds a successful claim, also to the expected usage. */
    void hold(Claim claim) {
        claims.add(claim);
        expectedUsage.addClaimed(claim.provider(), claim.amounts());
    }

    /** Adds a successful claim that is in the expected usage already. */
    void adopt(Claim claim) {
        claims.add(claim);
    }

    /**
     * Removes and returns the claim that was added first. The caller must release it, or {@link #adopt} it again if the
     * release is refused. The expected usage still includes the claim.
     */
    Claim takeOldest() {
        return claims.remove();
    }

    int count() {
        return claims.size();
    }

    /**
     * Checks the usages of the providers whose expected usage has changed ({@link Stage#audit}), then releases the
     * claims. Returns problems, one line each.
     *
     * @param guests providers outside of the fleet that are also checked
     */
    List<String> auditAndRelease(Stage stage, List<ProviderSpec> guests) throws InterruptedException {
        List<String> problems = new ArrayList<>(stage.audit(guests));
        problems.addAll(stage.play(stage.placement(), () -> {
            Claim claim = claims.poll();
            return claim == null
                    ? null
                    : claim.delete("release", () -> expectedUsage.subtractReleased(claim.provider(), claim.amounts()));
        }));
        return problems;
    }
}
