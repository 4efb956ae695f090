package io.berth.scheduler.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the operators of extra specs. */
class ExtraSpecRequirementTest {
    @ParameterizedTest(name = "{0} against \"{1}\" -> {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "ssd | ssd | YES",
        "ssd | \" ssd\" | NO",
        "5 | >=5 | NO",
        ">=5 | >=5 | YES",
        "5 | > 4 | NO",
        "6 | = 5 | YES",
        "4 | = 5 | NO",
        "5.0 | == 5 | YES",
        "1e3 | >= 999 999999 | YES",
        "1_000 | != 1000 | NO",
        "inf | >= 5 | YES",
        "nan | >= 5 | NO",
        "nan | != nan | YES",
        "0x10 | >= 5 | UNUSABLE",
        "5f | >= 5 | UNUSABLE",
        "5 | >= x | UNUSABLE",
        "5 | >= | NO",
        "b | s> a | YES",
        "a | s>= b | NO",
        "abc | <in> b | YES",
        "abc | <in> | NO",
        "aes mmx | <all-in> aes mmx | YES",
        "aes | <all-in> aes mmx | NO",
        "b | <or> a b | NO",
        "c | <or> a b c | YES",
        "b | <or> a <or> b | YES",
        "a | <or> | UNUSABLE"
    })
    void comparesLikeUpstream(String value, String requirement, ExtraSpecRequirement.Match match) {
        assertThat(ExtraSpecRequirement.parse(requirement).match(value)).isEqualTo(match);
    }
}
