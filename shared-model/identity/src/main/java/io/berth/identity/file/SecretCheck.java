package io.berth.identity.file;

import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.StartRefusal;
import io.berth.identity.WatchedFile;
import io.berth.identity.memory.CredentialMemory;
import io.berth.identity.memory.CredentialMemory.Finding;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Compares presented secrets with the file of {@code berth.auth.file}. A comparison is slow on purpose, so it runs on
 * one thread of its own behind a bounded queue. Correct secrets are cached until the file changes, so that an attacker
 * who fills the queue with wrong secrets does not lock out known callers. The check of an unknown name takes as long as
 * the check of an entry with the default number of iterations ({@link SecretHash#ITERATIONS}), so that the latency does
 * not reveal names.
 */
@Singleton
class SecretCheck {
    private static final String FILE_KEY = "berth.auth.file";
    /** Maximum length of a header with name and secret, in characters; a longer header is refused. */
    private static final int CREDENTIAL_CHARS_MAX = 1_024;
    /** Maximum number of correct secrets in the cache. */
    private static final int CACHED_MAX = 1_000;
    /** Maximum number of comparisons that wait for the thread; a request beyond it gets 503. */
    private static final int WAITING_COMPARISONS_MAX = 64;
    /**
     * Time for which a correct secret is cached, in effect unlimited: a new version of the file invalidates the result.
     */
    private static final long CORRECT_SECRET_NANOS = Duration.ofDays(365).toNanos();
    /** Time for which a wrong secret is cached. */
    private static final long WRONG_SECRET_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Identification.Unavailable BUSY =
            new Identification.Unavailable("Too many credentials wait to be checked.");

    final WatchedFile<SecretFile> file;
    private final CredentialMemory<Outcome> memory =
            new CredentialMemory<>(CREDENTIAL_CHARS_MAX, CACHED_MAX, System::nanoTime);
    /** The hash that is compared if no entry has the name. It has the default number of iterations. */
    private final SecretHash decoy = SecretHash.of(new char[] {'-'}, new SecureRandom());
    private final ThreadPoolExecutor comparisonThread;

    /**
     * @param version the content of the file with which the secret was compared
     * @param known the identified caller; null if the secret is wrong
     */
    private record Outcome(SecretFile version, @Nullable Identification known) {}

    SecretCheck(IdentityConfig config, Vertx vertx) {
        String path = config.file().orElseThrow(() -> StartRefusal.because(
                FILE_KEY + " is missing: berth.auth.strategy=" + config.strategy() + " needs a file of secrets"));
        this.file = WatchedFile.open(vertx, FILE_KEY, path, SecretFile::parse);
        this.comparisonThread = new ThreadPoolExecutor(
                1, 1, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_COMPARISONS_MAX),
                Thread.ofPlatform().name("secrets").daemon().factory());
        comparisonThread.allowCoreThreadTimeOut(true);
    }

    @PreDestroy
    void stop() {
        comparisonThread.shutdownNow();
    }

    /**
     * Returns the cached result, or {@code wrong} if the credential is null or too long; null if {@link #compare} must
     * be called.
     */
    @Nullable Identification recall(@Nullable String credential, Identification.Unauthenticated wrong) {
        if (credential == null || credential.length() > CREDENTIAL_CHARS_MAX) {
            return wrong;
        }
        Outcome outcome = memory.recall(credential);
        if (outcome == null || outcome.version() != file.current()) {
            return null;
        }
        return outcome.known() == null ? wrong : outcome.known();
    }

    /**
     * Compares the secret on the thread of this class. Emits {@code wrong} if no entry has this name and secret, and
     * {@link Identification.Unavailable} if too many comparisons wait.
     *
     * @param credential the argument of {@link #recall}, which contains name and secret
     */
    Uni<Identification> compare(String credential, String name, String secret, Identification.Unauthenticated wrong) {
        SecretFile version = file.current();
        return memory.validate(credential, asked -> compareOnThread(version, name, secret))
                .map(outcome -> outcome.known() == null ? wrong : outcome.known())
                .onFailure(RejectedExecutionException.class).recoverWithItem(BUSY);
    }

    private Uni<Finding<Outcome>> compareOnThread(SecretFile version, String name, String secret) {
        return Uni.createFrom().emitter(emitter -> comparisonThread.execute(() -> {
            try {
                SecretFile.Entry entry = version.entries().get(name);
                boolean matches = (entry == null ? decoy : entry.hash()).matches(secret.toCharArray());
                emitter.complete(matches && entry != null
                        ? new Finding<>(
                                new Outcome(version, new Identification.Known(entry.caller())), true,
                                CORRECT_SECRET_NANOS)
                        : new Finding<>(new Outcome(version, null), false, WRONG_SECRET_NANOS));
            } catch (RuntimeException | Error e) {
                emitter.fail(e);
            }
        }));
    }
}
