package io.berth.scheduler.selection;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.function.Function;

/** The result of one step of a request: a value for the next step, or the end of the attempt. */
sealed interface Step<T> {
    record Next<T>(T value) implements Step<T> {}

    /** @param cause the reason to try again; null if the outcome is final as far as this step knows */
    record End<T>(Outcome outcome, @Nullable Retries.Cause cause) implements Step<T> {
        End(Outcome outcome) {
            this(outcome, null);
        }
    }

    /** Returns the function that runs the next step, or passes on the end. */
    static <T, U> Function<Step<T>, Uni<? extends Step<U>>> then(Function<T, Uni<Step<U>>> next) {
        return step -> switch (step) {
            case Next<T>(T value) -> next.apply(value);
            case End<T>(Outcome outcome, Retries.Cause cause) -> Uni.createFrom().item(new End<U>(outcome, cause));
        };
    }

    /** Returns the end of the attempt after its last step. */
    static End<Outcome> endOf(Step<Outcome> last) {
        return switch (last) {
            case Next<Outcome>(Outcome outcome) -> new End<>(outcome);
            case End<Outcome> end -> end;
        };
    }

    static <T> Uni<Step<T>> next(T value) {
        return Uni.createFrom().item(new Next<>(value));
    }

    static <T> Uni<Step<T>> end(Outcome outcome) {
        return Uni.createFrom().item(new End<>(outcome));
    }
}
