package io.berth.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing of SQLAlchemy URLs as in nova.conf. */
class SqlAlchemyUrlTest {
    @ParameterizedTest
    @CsvSource({
        "mysql+pymysql://nova:p%40ss@db1:3307/nova_api?charset=utf8, MYSQL, db1, 3307, nova, p@ss, nova_api, ''",
        "mysql://nova:a+b@[::1]/n, MYSQL, ::1, 3306, nova, a+b, n, ''",
        "postgresql+psycopg2://u:p@h/d, POSTGRESQL, h, 5432, u, p, d, ''",
        "postgresql://u:p@db_1/d, POSTGRESQL, db_1, 5432, u, p, d, ''",
        "mysql+pymysql://u:a:b/c@h/d, MYSQL, h, 3306, u, a:b/c, d, ''",
        "postgresql://u:p@h/d?sslmode=prefer, POSTGRESQL, h, 5432, u, p, d, ''",
        "postgresql://u:p@h/d?sslmode=require&sslrootcert=/etc/ca.pem, POSTGRESQL, h, 5432, u, p, d, /etc/ca.pem",
        "mysql+pymysql://u:p@h/d?ssl_disabled=true, MYSQL, h, 3306, u, p, d, ''",
        "mysql+pymysql://u:p@h/d?ssl_ca=/etc/ca.pem&ssl_verify_cert=true, MYSQL, h, 3306, u, p, d, /etc/ca.pem",
        "mysql+pymysql://u:p@h/d?charset=utf8&ssl_ca=/etc/ca.pem, MYSQL, h, 3306, u, p, d, /etc/ca.pem"})
    void readsUrlsOfNovaConf(
            String url, SqlAlchemyUrl.Kind kind, String host, int port, String user, String password, String database,
            String ca) {
        assertThat(SqlAlchemyUrl.parse(url, "it"))
                .isEqualTo(new SqlAlchemyUrl(kind, host, port, user, password, database, ca));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sqlite:///secret.db", "mysql://u:secret@h", "mysql://u:secret%zz@h/d",
        "mysql://u:secret@h:0/d"})
    void refusesInvalidUrlsWithoutThePassword(String url) {
        assertThatThrownBy(() -> SqlAlchemyUrl.parse(url, "berth.nova.api-database"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("berth.nova.api-database")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "sslmode=require, sslmode requests TLS", "sslmode=verify-full, sslmode requests TLS",
        "ssl_verify_cert=true&charset=utf8, ssl_verify_cert requests TLS", "ssl=true, ssl requests TLS",
        "ssl_mode=REQUIRED, ssl_mode requests TLS", "ssl_verify_cert=false, ssl_verify_cert requests TLS",
        "ssl_ca=/etc/ca.pem&ssl_cert=/etc/c.pem, ssl_cert is not supported",
        "sslrootcert=/etc/ca.pem&sslkey=/etc/k.pem, sslkey is not supported"})
    void refusesUnsupportedTlsParameters(String query, String message) {
        assertThatThrownBy(() -> SqlAlchemyUrl.parse("postgresql://u:secret@h/d?" + query, "berth.nova.api-database"))
                .hasMessageStartingWith("berth.nova.api-database: " + message).hasMessageNotContaining("secret");
    }

    @Test
    void textFormHidesThePassword() {
        assertThat(SqlAlchemyUrl.parse("mysql://u:secret@h/d", "it")).hasToString("h:3306/d");
    }

    /** Behaves like nova's {@code CellMapping._format_url}. */
    @Test
    void fillsTemplatesFromTheLocalUrl() {
        String local = "mysql+pymysql://nova:p%40ss@db1:3307/nova_cell0?charset=utf8";
        assertThat(SqlAlchemyUrl.fillTemplate("{scheme}://{username}:{password}@{hostname}:{port}/nova_cell1?{query}",
                local))
                .isEqualTo("mysql+pymysql://nova:p%40ss@db1:3307/nova_cell1?charset=utf8");
        assertThat(SqlAlchemyUrl.fillTemplate("{scheme}://a:b@c/{path}", local))
                .isEqualTo("mysql+pymysql://a:b@c/nova_cell0");
        assertThat(SqlAlchemyUrl.fillTemplate(
                "{scheme}://{username}:{password}@[{hostname}]:{port}/c", "mysql://u:p@[::1]:3306/n"))
                .isEqualTo("mysql://u:p@[::1]:3306/c");
        assertThat(SqlAlchemyUrl.fillTemplate("mysql://a:b@c/d", "")).isEqualTo("mysql://a:b@c/d");
        assertThatThrownBy(() -> SqlAlchemyUrl.fillTemplate("{scheme}://a:b@c/d", ""))
                .hasMessageContaining("berth.nova.database");
    }
}
