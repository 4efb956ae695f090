package io.berth.scheduler.host.registry.edit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.http.ApiFault;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a registry whose hosts belong to nova. */
class ForeignHostsTest {
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);
    private static final String UUID_TEXT = UUID.randomUUID().toString();

    private final RegistryEndpoint endpoint = new RegistryEndpoint(null, null, null, null, () -> true, null, null);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SERVER_GROUPS")
    void refusesChangesOfRecordsThatNovaOwns(RecordCollection collection) {
        refused(() -> endpoint.create(collection.route(), null, BODY, null));
        refused(() -> endpoint.putAll(collection.route(), null, BODY, null));
        refused(() -> endpoint.put(collection.route(), UUID_TEXT, null, null, BODY, null));
        refused(() -> endpoint.delete(collection.route(), UUID_TEXT, null, null, null));
    }

    private static void refused(ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOf(ApiFault.class).hasMessageContaining("belong to nova");
    }

    /** The error is about the body, so the change itself is allowed. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.INCLUDE, names = "SERVER_GROUPS")
    void acceptsChangesOfServerGroups(RecordCollection collection) {
        assertThatThrownBy(() -> endpoint.create(collection.route(), null, BODY, null))
                .isInstanceOf(ApiFault.class).hasMessageContaining("$.policy");
    }
}
