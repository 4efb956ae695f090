package io.berth.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests files without certificate authorities. Tests of TLS connections read valid ones. */
class CaFileIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "'', has no certificate; name a PEM file of certificate authorities",
        "a comment only, cannot be read: ",
        "-----BEGIN PRIVATE KEY-----, cannot be read: ",
        "-----BEGIN CERTIFICATE-----, cannot be read: "
    })
    void refusesAFileWithoutCertificates(String content, String why) throws Exception {
        Path file = Files.writeString(folder.resolve("ca.pem"), content);
        assertThatThrownBy(() -> CaFile.read("berth.nova.ca-file", file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("berth.nova.ca-file: " + file + " " + why)
                .hasMessageEndingWith("blocks begin with -----BEGIN CERTIFICATE-----");
    }

    @Test
    void refusesAFileThatDoesNotExistOrIsAFolder() {
        Path absent = folder.resolve("absent.pem");
        assertThatThrownBy(() -> CaFile.read("o", absent)).hasMessageStartingWith("o: " + absent + " does not exist;");
        assertThatThrownBy(() -> CaFile.read("o", folder)).hasMessageStartingWith("o: " + folder + " cannot be read");
    }
}
