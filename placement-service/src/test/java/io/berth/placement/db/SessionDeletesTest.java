package io.berth.placement.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.placement.MainSources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that no store deletes entities through a session; see {@link CatalogueWrite#session()}. */
class SessionDeletesTest {
    private static final Pattern ENTITY_DELETE =
            Pattern.compile("[sS]ession(\\(\\))?\\s*\\.(delete|deleteAll|remove|removeAll)\\(");

    @Test
    void noStoreDeletesEntities() throws IOException {
        assertThat(MainSources.endingIn("Store.java")).hasSizeGreaterThan(10).allSatisfy(
                store -> assertThat(Files.readString(store)).as(store.toString())
                        .doesNotContainPattern(ENTITY_DELETE));
    }
}
