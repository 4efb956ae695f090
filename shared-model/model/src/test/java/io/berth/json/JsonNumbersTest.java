package io.berth.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how numbers are written in JSON, including those that JSON does not have. */
class JsonNumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0.5, 0.5", "-3, -3.0", "Infinity, 1.7976931348623157E308", "-Infinity, -1.7976931348623157E308", "NaN, null"})
    void writesNumbersOrNull(double value, String written) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            JsonNumbers.write(json, "weight", value);
            json.writeEndObject();
        }
        assertThat(text).hasToString("{\"weight\":" + written + "}");
    }
}
