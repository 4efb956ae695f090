package io.berth.deploy.migration.reads;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which differences between the responses of two Placements are ignored. */
class ResponseNormalizerTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "generations do not count | {\"generation\": 1, \"a\": {\"consumer_generation\": 2}} | {\"a\": {}} | true",
        "order does not count     | {\"a\": [{\"b\": 1}, {\"b\": 2}]} | {\"a\": [{\"b\": 2}, {\"b\": 1}]} | true",
        "how often does           | [1, 1, 2] | [1, 2, 2] | false",
        "links lose their prefix  | {\"href\": \"/placement/traits\"} | {\"href\": \"/traits\"} | true",
        "amounts count            | {\"VCPU\": 1} | {\"VCPU\": 2} | false",
        "names count              | {\"VCPU\": 1} | {\"DISK_GB\": 1} | false"})
    void keepsValuesThatMustBeEqualInBoth(String name, String one, String other, boolean same) throws Exception {
        JsonNode left = ResponseNormalizer.normalize(JSON.readTree(one), "/placement");
        JsonNode right = ResponseNormalizer.normalize(JSON.readTree(other), "");
        assertThat(left.equals(right)).isEqualTo(same);
    }
}
