package io.berth.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing of PostgreSQL URLs. */
class DatabaseUrlTest {
    @Test
    void decodesUserAndPasswordOnce() {
        var url = DatabaseUrl.parse("postgresql://be%40rth:p%3Aw%2Fd+%25@db.example:6000/cloud");
        assertThat(url).isEqualTo(new DatabaseUrl("db.example", 6000, "cloud", "be@rth", "p:w/d+%", "disable", ""));
        assertThat(url.reactiveUrl("placement")).isEqualTo("postgresql://db.example:6000/cloud?search_path=placement");
        assertThat(url.jdbcUrl("placement"))
                .isEqualTo("jdbc:postgresql://db.example:6000/cloud?currentSchema=placement&sslmode=disable");
    }

    @Test
    void onlyThePortHasADefault() {
        assertThat(DatabaseUrl.parse("postgres://u@h/d"))
                .isEqualTo(new DatabaseUrl("h", 5432, "d", "u", "", "disable", ""));
    }

    @Test
    void readsTheTlsParametersOfLibpq() {
        var url = DatabaseUrl.parse("postgresql://u@h/d?sslmode=verify-full&sslrootcert=/etc/berth%20ca.pem");
        assertThat(url.sslMode()).isEqualTo("verify-full");
        assertThat(url.withDefaultRootCert("other.pem").jdbcUrl("placement"))
                .endsWith("?currentSchema=placement&sslmode=verify-full&sslrootcert=%2Fetc%2Fberth+ca.pem");
        assertThat(url.reactiveUrl("placement")).endsWith("/d?search_path=placement");
        assertThat(DatabaseUrl.parse("postgresql://u@h/d?sslmode=verify-ca").withDefaultRootCert("other.pem")
                .sslRootCert())
                .isEqualTo("other.pem");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "mysql://u:secret@h/d", "postgresql://h/d", "postgresql://u:secret@h", "postgresql://u:secret@h/",
        "postgresql://u:sec ret@h/d", "postgresql:///d", "postgresql://u:secret@h/d?x=1",
        "postgresql://u:secret@h/d?sslmode=yes", "postgresql://u:secret@h/d?sslmode", ""})
    void refusesInvalidUrlsWithAdviceAndWithoutThePassword(String text) {
        assertThatThrownBy(() -> DatabaseUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected postgresql://user:password@host:port/database")
                .hasMessageNotContaining("secret");
    }

    @Test
    void refusesSeveralHostsWithAdvice() {
        assertThatThrownBy(() -> DatabaseUrl.parse("postgresql://u:a,b@h1:5432,h2/d"))
                .hasMessageStartingWith(
                        "BERTH_DATABASE_URL names several hosts: give the address that leads to the primary")
                .hasMessageNotContaining("a,b");
        assertThatThrownBy(() -> DatabaseUrl.parse("postgresql://u:a,b@/d")).hasMessageContaining("names no host");
        assertThat(DatabaseUrl.parse("postgresql://u:a,b@h1/d").password()).isEqualTo("a,b");
    }

    @Test
    void textFormHidesThePassword() {
        assertThat(DatabaseUrl.parse("postgresql://u:secret@h/d").toString()).doesNotContain("secret");
    }
}
