package io.berth.deploy.checks.nativeimage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the checks find the faults in {@link Offences}. */
class FindingTest {
    private static final String OFFENCES = "io/berth/deploy/checks/nativeimage/Offences";

    @Test
    void findsStateOfTheBuildMachineInStaticFieldsAlsoThroughCalls() throws IOException {
        Map<String, ClassModel> classes = Stream.of(OFFENCES, OFFENCES + "$Machine")
                .collect(Collectors.toMap(name -> name, FindingTest::parse));
        assertThat(BuildTimeState.captured(classes)).containsExactlyInAnyOrder(
                OFFENCES + " -> " + OFFENCES + ".drawn -> java/security/SecureRandom.<init>",
                OFFENCES + " -> " + OFFENCES + "$Machine.cpus -> java/lang/Runtime.availableProcessors");
    }

    @Test
    void findsTheClassesThatJacksonReadsAndWrites() throws IOException {
        List<Calls.Call> calls = Calls.in(parse(OFFENCES));
        assertThat(calls).filteredOn(call -> call.name().equals("readValue")).singleElement()
                .satisfies(call -> assertThat(call.classes()).containsExactly(Offences.Unregistered.class.getName()));
        assertThat(calls).filteredOn(call -> call.name().equals("writeValueAsString")).singleElement()
                .satisfies(call -> assertThat(call.last().map(Calls::binaryName))
                        .contains(Offences.Unregistered.class.getName()));
    }

    @Test
    void refusesLibrariesThatWereNotReviewed() {
        assertThat(Libraries.isKnown("io.quarkus.quarkus-core-3.34.1")).isTrue();
        assertThat(Libraries.isKnown("org.example.reflection-heavy-1.0")).isFalse();
    }

    private static ClassModel parse(String internalName) {
        try (InputStream in = FindingTest.class.getResourceAsStream("/" + internalName + ".class")) {
            return ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
