package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a service without a database URL, or with an invalid one, reports this in one line. */
class DatabaseUrlIT {
    @ParameterizedTest(name = "{0} with BERTH_DATABASE_URL={1}")
    @CsvSource({
        "placement-service, 'postgresql://user@h1:5432,h2/database', names several hosts: give the address that leads"
                + " to the primary",
        "placement-service, '', is not set",
        "placement-service, mysql://user@host/database, must start with postgresql://",
        "scheduler-service, '', is not set",
        "scheduler-service, mysql://user@host/database, must start with postgresql://"})
    void reportsAMissingOrInvalidUrlInOneLine(String service, String url, String message) {
        assertThat(Packaged.refusal(service, Map.of("BERTH_DATABASE_URL", url))).rootCause().message()
                .contains("BERTH_DATABASE_URL " + message + "; expected postgresql://user:password@host:port/database")
                .doesNotContain("\tat ", "Exception");
    }
}
