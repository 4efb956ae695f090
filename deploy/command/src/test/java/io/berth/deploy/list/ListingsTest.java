package io.berth.deploy.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.command.Said;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the lists and records that commands print in the formats of {@code -f} and with the columns of {@code -c}. */
class ListingsTest {
    private static final String ONE = "33333333-3333-4333-8333-333333333333";
    private static final String TWO = "44444444-4444-4444-8444-444444444444";
    private static final Map<String, String> RESPONSES = Map.of(
            "/v1/instances?limit=100", """
                    {"instances": [{"uuid": "%s", "version": 1, "host": "h1", "name": "say \\"hi\\", Zoë"},
                                   {"uuid": "%s", "version": 0, "host": "h2", "metadata": {"a": "b"}}]}""".formatted(ONE, TWO),
            "/v1/instances/web%20%2F1", "{\"uuid\": \"%s\", \"version\": 1, \"name\": \"web /1\"}".formatted(ONE),
            "/v1/decisions?limit=2&result=no_valid_host", """
                    {"decisions": [{"decision_id": "d3", "instance_names": ["a", "b"], "result": "no_valid_host"}],
                     "decisions_links": [{"rel": "next", "href": "?limit=2&marker=d3"}]}""",
            "/v1/decisions?limit=2&marker=d3", """
                    {"decisions": [{"decision_id": "d2", "result": "no_valid_host"}, {"decision_id": "d1"}]}""",
            "/v1/fleet", """
                    {"uuid": ["%s", "%s"], "host": ["h1", "h2"], "state": [0, 1], "states": ["up", "disabled"],
                     "zone": [0, 0], "zones": [null], "cell": [0, 0], "cells": [null], "host_aggregates": [0, 0],
                     "host_aggregate_sets": [["fast"]], "traits": [0, 0], "trait_sets": [[]], "instances": [3, 0],
                     "resource_classes": {"VCPU": {"capacity": [64, 32], "used": [8, 0], "allocation_ratio": [4.0, 4.0]}}}"""
                    .formatted(ONE, TWO),
            "/v1/fleet/" + ONE, "{\"uuid\": \"%s\", \"host\": \"h1\"}".formatted(ONE),
            "/v1/server_groups?limit=1073741823", "{\"server_groups\": [{\"uuid\": \"g1\", \"name\": \"web\"}]}",
            "/v1/server_groups/g1", "{\"uuid\": \"g1\", \"name\": \"web\", \"policy\": \"affinity\"}",
            "/v1/replica", """
                    {"scheduler": {"name": "s-1", "version": "1", "started_at": "2026-01-31T12:00:00Z"}, "placement": null,
                     "placement_trouble": "it does not answer"}""");

    private static Said run(String... args) throws Exception {
        try (var scheduler = PlayedScheduler.with(RESPONSES)) {
            return Said.by(Stream.concat(Stream.of(args), Stream.of("--scheduler", scheduler.url(), "--token", "t"))
                    .toArray(String[]::new));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "csv   | name,uuid,host~\"say \"\"hi\"\","
                + " Zoë\",33333333-3333-4333-8333-333333333333,h1~,44444444-4444-4444-8444-444444444444,h2~",
        "value | say \"hi\", Zoë 33333333-3333-4333-8333-333333333333 h1~ 44444444-4444-4444-8444-444444444444 h2~"})
    void listsInstancesAsCsvOrValues(String format, String expected) throws Exception {
        assertThat(run("instance", "list", "-f", format).out()).isEqualTo(expected.replace('~', '\n'));
    }

    @Test
    void listsInstancesAsATable() throws Exception {
        assertThat(run("instance", "list").out()).isEqualTo("""
                  name           uuid                                  host
                  say "hi", Zoë  33333333-3333-4333-8333-333333333333  h1
                                 44444444-4444-4444-8444-444444444444  h2
                """);
    }

    @Test
    void listsInstancesAsYamlOrJsonWithAllMembers() throws Exception {
        assertThat(run("instance", "list", "--format", "yaml").out()).isEqualTo("""
                - uuid: %s
                  version: 1
                  host: h1
                  name: say "hi", Zoë
                - uuid: %s
                  version: 0
                  host: h2
                  metadata:
                    a: b
                """.formatted(ONE, TWO));
        assertThat(run("instance", "list", "-f", "json", "-c", "host").out().replaceAll("\\s", ""))
                .isEqualTo("[{\"host\":\"h1\"},{\"host\":\"h2\"}]");
    }

    @Test
    void listsTheRequestedColumnsInTheirOrder() throws Exception {
        assertThat(run("instance", "list", "-f", "value", "-c", "metadata", "-c", "host").out())
                .isEqualTo(" h1\n{\"a\":\"b\"} h2\n");
        Said none = run("instance", "list", "-c", "hots");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err())
                .contains("berth instance list: -c hots: must be one of uuid, version, host, name, metadata");
    }

    @Test
    void followsPagesUpToTheLimitAndReportsWhetherMoreExist() throws Exception {
        Said result = run("decision", "list", "--limit", "2", "--filter", "result=no_valid_host", "-f", "value", "-c",
                "decision_id");
        assertThat(result.out()).isEqualTo("d3\nd2\n");
        assertThat(result.err()).isEqualTo("There are more than 2. To list more, raise --limit.\n");
    }

    @Test
    void listsHostsAsRowsOfTheFleetsColumns() throws Exception {
        assertThat(run("host", "list", "-f", "csv").out()).isEqualTo("""
                host,state,zone,instances,VCPU_used,VCPU
                h1,up,,3,8,64
                h2,disabled,,0,0,32
                """);
        assertThat(run("host", "list", "--filter", "state=disabled", "-f", "value", "-c", "host", "-c",
                "host_aggregates").out())
                .isEqualTo("h2 fast\n");
    }

    @Test
    void findsARecordByItsName() throws Exception {
        assertThat(run("instance", "show", "web /1", "-f", "value", "-c", "uuid").out()).isEqualTo(ONE + "\n");
        assertThat(run("host", "show", "h1").out()).isEqualTo("""
                  field  value
                  uuid   %s
                  host   h1
                """.formatted(ONE));
        assertThat(run("group", "show", "web", "-f", "csv").out())
                .isEqualTo("field,value\nuuid,g1\nname,web\npolicy,affinity\n");
        Said none = run("host", "show", "h3");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).isEqualTo("berth host show: no host is called h3\n");
    }

    @Test
    void statusReportsServicesThatDoNotRespond() throws Exception {
        Said result = run("status", "-f", "csv");
        assertThat(result.out()).isEqualTo("""
                service,name,version,started_at,state
                scheduler,s-1,1,2026-01-31T12:00:00Z,responds
                placement,,,,it does not answer
                """);
        assertThat(result.status()).isEqualTo(3);
    }
}
