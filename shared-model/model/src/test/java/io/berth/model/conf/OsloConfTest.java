package io.berth.model.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the parsing of oslo.config files. */
class OsloConfTest {
    private static Map<String, Map<String, List<String>>> parse(String text) {
        return OsloConf.parse(text.lines().toList()).groups();
    }

    @Test
    void readsGroupsCommentsQuotesAndContinuedLines() {
        assertThat(parse("""
                debug = true
                [one]
                # comment
                ; comment
                list = a,
                    b
                colon: x = y
                quoted = " blank "
                odd = "half

                """)).isEqualTo(Map.of(
                "DEFAULT", Map.of("debug", List.of("true")),
                "one", Map.of(
                        "list", List.of("a, b"),
                        "colon", List.of("x = y"),
                        "quoted", List.of(" blank "),
                        "odd", List.of("\"half"))));
    }

    @Test
    void keepsEveryValueOfAnOptionAndJoinsGroupsOfOneName() {
        assertThat(parse("[g]\na = 1\na =\n[h]\nb = 2\n[g]\na = 3\n")).isEqualTo(Map.of(
                "g", Map.of("a", List.of("1", "", "3")), "h", Map.of("b", List.of("2"))));
    }

    @Test
    void ignoresInvalidLines() {
        assertThat(parse("nonsense\n[x\n= 5\n  floating\n")).isEqualTo(Map.of("DEFAULT", Map.of()));
    }
}
