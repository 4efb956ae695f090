package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Books;
import io.berth.deploy.load.fleet.ProviderSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The claims in force, to be audited and released. */
final class Claims {
    private final Books books;
    private final ArrayDeque<Claim> held = new ArrayDeque<>();

    Claims(Books books) {
        this.books = books;
    }

    void hold(Claim claim) {
        held.add(claim);
        books.take(claim.provider(), claim.amounts());
    }

    /** Adds a claim that is in the books already. */
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

    /** Audits the providers of the claims, then deletes the claims. Returns problems, one line each. */
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
