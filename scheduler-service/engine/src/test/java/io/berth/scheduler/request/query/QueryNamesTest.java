package io.berth.scheduler.request.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the names of traits and resource classes in a query to placement. */
class QueryNamesTest {
    @Test
    void findsTraitsAndResourceClassesOfEveryGroup() {
        String query =
                "group_policy=none&limit=1000&member_of=in%3Aa&required=CUSTOM_A%2C%21CUSTOM_B&requiredp=CUSTOM_C"
                        + "&resources=MEMORY_MB%3A1%2CVCPU%3A2&resources_x=VGPU%3A1&resourcesp=&root_required=%21CUSTOM_D";
        assertThat(QueryNames.traits(query)).containsExactly("CUSTOM_A", "CUSTOM_B", "CUSTOM_C", "CUSTOM_D");
        assertThat(QueryNames.resourceClasses(query)).containsExactly("MEMORY_MB", "VCPU", "VGPU");
    }

    @Test
    void findsNoneIfTheQueryHasNone() {
        assertThat(QueryNames.traits("limit=1&resources=")).isEmpty();
        assertThat(QueryNames.resourceClasses("limit=1&resources=")).isEmpty();
    }

    @Test
    void splitsNamesAtCommasAndRemovesDuplicates() {
        String query = "required=FOO%2CFOO&resources=CUSTOM_A%2CB%3A1";
        assertThat(QueryNames.traits(query)).containsExactly("FOO");
        assertThat(QueryNames.resourceClasses(query)).containsExactly("B", "CUSTOM_A");
    }
}
