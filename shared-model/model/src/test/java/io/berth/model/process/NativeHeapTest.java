package io.berth.model.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.berth.model.process.NativeHeap.Options;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how the heap limit is parsed. A native executable, which sets it by one call to its runtime, is not built here.
 */
class NativeHeapTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "-Xmx300m,              314572800",
        "-Xmx1G,                1073741824",
        "-Xmx65536K,            67108864",
        "-Xmx67108864,          67108864",
        "-Xms8m -Xmx1g -Xmx2g,  2147483648"})
    void readsTheMaximumHeapLikeAJvm(String options, long bytes) {
        assertThat(Options.parse(options).heapBytesMax()).hasValue(bytes);
    }

    @Test
    void listsIgnoredOptions() {
        Options options = Options.parse("  -XX:+UseSerialGC -Xmx300m\t-Xmn80m -Xmxlots ");
        assertThat(options.heapBytesMax()).hasValue(300L << 20);
        assertThat(options.ignored()).containsExactly("-XX:+UseSerialGC", "-Xmn80m", "-Xmxlots");
    }

    @Test
    void setsNoLimitWithoutOptions() {
        assertThat(Options.parse("")).isEqualTo(new Options(OptionalLong.empty(), List.of()));
    }

    /** The JVM has read the variable itself, and has no class of a native executable. */
    @Test
    void doesNothingInAJvm() {
        assertThatCode(() -> NativeHeap.limit(Map.of(NativeHeap.VARIABLE, "-Xmx300m"))).doesNotThrowAnyException();
    }
}
