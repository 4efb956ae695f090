package io.berth.scheduler.drain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the nova commands that a drain proposes. */
class NovaCommandsTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");

    /** A shell must not execute parts of a name or a reason. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "compute-1.example.org | compute-1.example.org",
        "two words             | 'two words'",
        "a;reboot              | 'a;reboot'",
        "$(reboot)             | '$(reboot)'",
        "it's                  | 'it'\\''s'",
        "-x                    | '-x'"})
    void quotesNamesWithSpecialCharacters(String host, String quoted) {
        assertThat(NovaCommands.enable(host))
                .isEqualTo("openstack compute service set --enable " + quoted + " nova-compute");
        assertThat(NovaCommands.disable(host, "drain rack")).isEqualTo(
                "openstack compute service set --disable --disable-reason 'drain rack' " + quoted + " nova-compute");
    }

    @Test
    void namesTheDestinationIfItIsKnown() {
        assertThat(NovaCommands.migrate(INSTANCE, null))
                .isEqualTo("openstack server migrate --live-migration " + INSTANCE);
        assertThat(NovaCommands.migrate(INSTANCE, "c2")).isEqualTo(
                "openstack --os-compute-api-version 2.30 server migrate --live-migration --host c2 " + INSTANCE);
    }
}
