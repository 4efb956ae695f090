package io.berth.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parsing of the header Accept. */
class AcceptTest {
    @ParameterizedTest(name = "{0} -> {1}, takes JSON: {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', value = {
        "''|JSON|true",
        "*/*|JSON|true",
        "application/json|JSON|true",
        "APPLICATION/JSON;Q=0.2,text/html;q=0.1|JSON|true",
        "application/*;x=y|JSON|true",
        "text/html|HTML|false",
        "text/*;q=0.3, text/html;q=0.7, application/json;q=0.5|HTML|true",
        "text/html;level=1, application/json;q=0.3|JSON|true",
        "application/json, text/html|HTML|true",
        "*/*;q=0.1;a=b|HTML|true",
        "application/json;q=0, */*|HTML|false",
        "application/json;q=0.2,application/json;q=0.8,text/html;q=0.5|HTML|true",
        "application/json;q=1;q=0|JSON|true",
        "application/json;q=0.5;b|JSON|true",
        ", application/json|JSON|true",
        "application/json,,text/plain ,|JSON|true",
        "application/json;charset=utf-8|TEXT|false",
        "application/json;a=\"b,c\"|TEXT|false",
        "application/xml|TEXT|false",
        "*/json|TEXT|false",
        "*/html, application/json|JSON|true",
        "*/json, */*|HTML|true",
        ",|TEXT|false"})
    void prefersTheFormWithTheHighestQuality(String header, Accept.ErrorForm form, boolean takesJson) {
        assertThat(Accept.parse(header).errorForm()).isEqualTo(form);
        assertThat(Accept.parse(header).acceptsJson()).isEqualTo(takesJson);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        ";", "garbage", "*", "application/json;", "application/json;q=2", "application/json;q=.5",
        "application/json;q=0.1234", "application/json;q=NaN", "application/json;a", "application/json/x",
        "text/plain application/json", "application/json;a=\"", "text/html, image/gif, *; q=.2, */*; q=.2"})
    void treatsAnInvalidHeaderAsAnyType(String header) {
        assertThat(Accept.parse(header).acceptsJson()).isTrue();
        assertThat(Accept.parse(header).errorForm()).isEqualTo(Accept.ErrorForm.HTML);
    }

    @ParameterizedTest(name = "{0} -> text: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', value = {
        "''|false",
        "*/*|false",
        "garbage|false",
        "application/json|false",
        "text/html|false",
        "text/plain|true",
        "TEXT/PLAIN; charset=utf-8|true",
        "text/*|true",
        "text/plain, application/json|false",
        "application/json, text/plain, */*|false",
        "application/json;charset=utf-8, text/plain|false",
        "text/plain, application/json;q=0.5|true",
        "text/plain, */*;q=0.1|true",
        "text/plain;q=0.5, */*|false",
        "text/plain;q=0|false"})
    void prefersTextOnlyIfItsQualityIsAboveThatOfJson(String header, boolean isText) {
        assertThat(Accept.parse(header).prefersText()).isEqualTo(isText);
    }

    @Test
    void readsVeryLongHeaders() {
        assertThat(Accept.parse("application/json;a=b" + ";a=b".repeat(100_000)).acceptsJson()).isFalse();
        assertThat(Accept.parse("a/b,".repeat(100_000) + ";").acceptsJson()).isTrue();
    }
}
