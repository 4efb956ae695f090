package io.berth.deploy.checks.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that retired words do not return. A number in {@code words/retired.txt} is the most that a place may still
 * have; lower it when you remove some, and never raise it.
 */
class RetiredWordsTest {
    private static final Pattern FRAGMENT =
            Pattern.compile("/\\*\\*\\s*(?:\\n\\s*\\* )?(?:Of|Those|Whoever|What|Whether|That) ");
    private static final Pattern WIDE_COMMENT = Pattern.compile("^ *(?:/\\*\\*|\\*|//).{119,}$");
    private static final Pattern WIDE_LINE = Pattern.compile("^.{121,}$");

    @ParameterizedTest
    @EnumSource(Place.class)
    void retiredWordsDoNotReturn(Place place) throws IOException {
        assertThat(place.files()).isNotEmpty();
        for (RetiredWord word : words()) {
            List<String> found = place.find(word.pattern());
            assertThat(found)
                    .as("%s in %s: write %s", word.pattern(), place.label(), word.advice())
                    .hasSizeLessThanOrEqualTo(word.allowedIn(place));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "DOCUMENTS", mode = EnumSource.Mode.EXCLUDE)
    void javadocBeginsWithASentenceOrANoun(Place place) throws IOException {
        for (var file : place.files()) {
            assertThat(FRAGMENT.matcher(Files.readString(file)).results().map(MatchResult::group))
                    .as("fragments in %s", file).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "DOCUMENTS", mode = EnumSource.Mode.EXCLUDE)
    void commentsFitIn120Columns(Place place) {
        assertThat(place.find(WIDE_COMMENT)).isEmpty();
    }

    /** Tests may have longer lines in text blocks whose data is easier to compare unwrapped. */
    @ParameterizedTest
    @EnumSource(value = Place.class, names = {"DOCUMENTS", "TESTS"}, mode = EnumSource.Mode.EXCLUDE)
    void codeFitsIn120Columns(Place place) {
        assertThat(place.find(WIDE_LINE)).isEmpty();
    }

    private static List<RetiredWord> words() throws IOException {
        return RetiredWord.parse(Files.readString(
                ProjectFiles.ROOT.resolve("deploy/laboratory/checks/src/test/resources/words/retired.txt")));
    }
}
