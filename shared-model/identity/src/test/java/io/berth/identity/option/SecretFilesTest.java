package io.berth.identity.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests options that name a file with a secret. */
class SecretFilesTest {
    @TempDir
    Path folder;

    /** Derives options from the database's URL, as both services do. */
    private static final class DatabaseOptions implements ConfigSourceFactory {
        @Override
        public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
            String url = String.valueOf(context.getValue("berth.database-url").getValue());
            return List.of(new PropertiesConfigSource(Map.of("made.of", url), "made", 275));
        }

        @Override
        public OptionalInt getPriority() {
            return OptionalInt.of(275);
        }
    }

    private static SmallRyeConfig config(Map<String, String> stated) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(stated, "stated", 300))
                .withInterceptors(new SecretFiles())
                .withSources(new DatabaseOptions())
                .build();
    }

    private static String token(String file) {
        return config(Map.of("berth.placement-token-file", file)).getValue("berth.placement-token", String.class);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void readsAValueFromTheFileWithoutTheLineBreakAtItsEnd() throws IOException {
        assertThat(token(file("token", " Pa$${word} \r\n"))).isEqualTo(" Pa$${word} ");
    }

    @Test
    void readsTheFileBeforeOtherOptionsAreDerived() throws IOException {
        String url = "postgresql://berth:secret@db:5432/berth";
        SmallRyeConfig config = config(Map.of("berth.database-url-file", file("url", url + "\n")));
        assertThat(config.getValue("made.of", String.class)).isEqualTo(url);
    }

    @Test
    void refusesASecretThatIsSetTwice() throws IOException {
        Map<String, String> twice =
                Map.of("berth.database-url", "postgresql://db/berth", "berth.database-url-file", file("url", "other"));
        assertThatThrownBy(() -> config(twice))
                .hasMessage("both BERTH_DATABASE_URL and BERTH_DATABASE_URL_FILE are set: leave one of them out");
    }

    @Test
    void replacesADefault() throws IOException {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withDefaultValue("berth.placement-token", "admin")
                .withSources(new PropertiesConfigSource(Map.of("berth.placement-token-file", file("token", "mine")),
                        "stated", 300))
                .withInterceptors(new SecretFiles())
                .build();
        assertThat(config.getValue("berth.placement-token", String.class)).isEqualTo("mine");
    }

    @Test
    void refusesAFileThatCannotBeReadOrIsEmpty() throws IOException {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> token(missing.toString())).hasMessageStartingWith(
                "BERTH_PLACEMENT_TOKEN_FILE (" + missing + ") cannot be read: java.nio.file.NoSuchFileException");
        String empty = file("empty", "\n");
        assertThatThrownBy(() -> token(empty))
                .hasMessage("BERTH_PLACEMENT_TOKEN_FILE (" + empty + ") is empty");
    }

    @Test
    void everySecretHasAKnownFileOption() {
        KnownKeys scheduler = KnownKeys.of("scheduler");
        assertThat(scheduler.secretKeys()).hasSize(10).allSatisfy(secret -> {
            assertThat(scheduler.refusalOfKey(secret + "-file")).isEmpty();
            assertThat(scheduler.isUnknownVariable(UnknownKeys.variableName(secret + "-file"))).isFalse();
        });
        assertThat(scheduler.refusalOfKey("berth.body-size-max-file")).isPresent();
    }
}
