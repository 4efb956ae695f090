package io.berth.placement.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import io.berth.placement.http.Schema;
import io.berth.placement.ledger.claim.ConsumerClaim;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the schema accepts each body that the one-pass reader accepts, with the same result. */
class FastClaimParserTest {
    private static final UUID VM = UUID.fromString("0f0e0d0c-0b0a-4908-8706-050403020100");
    private static final String HOST = "11111111-1111-4111-8111-111111111111";
    private static final String OTHER = "22222222-2222-4222-8222-22222222abcd";
    /** Nearly the maximum number of names in a body. */
    private static final int MANY = 300_000;
    private static final Schema PUT_1_28 = Schema.load("allocations-put-1.28");
    private static final Schema PUT_1_34 = Schema.load("allocations-put-1.34");
    private static final Schema PUT_1_38 = Schema.load("allocations-put-1.38");
    private static final List<String> BODIES = List.of(
            """
            {"allocations":{"%s":{"resources":{"VCPU":1,"MEMORY_MB":512,"DISK_GB":4}}},"consumer_generation":null,\
            "project_id":"p","user_id":"u","consumer_type":"INSTANCE"}""".formatted(HOST),
            """
            {"allocations":{"%s":{"resources":{"VCPU":9223372036854775807}},"%s":{"resources":{"CUSTOM_A":7}}},\
            "mappings":{"":["%s"],"_NET":["%s","%s"]},"consumer_generation":3,"project_id":"p","user_id":"u"}"""
                    .formatted(HOST, OTHER, HOST, OTHER, HOST),
            """
            {"consumer_generation":-1,"user_id":"u","project_id":"a b","allocations":{"%s":{"resources":{"VCPU":1}}}}"""
                    .formatted(HOST));
    /** Pieces that change the meaning of a body. */
    private static final List<String> PIECES = List.of(
            "null", "true", "0", "-1", "1.0", "1e2", "99999999999999999999", "\"\"", "\"x\"", "{}", "[]", "{", "}", "[",
            "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\n", "\u00e9", "A", "a", "-", "\"generation\":1,",
            "\"VCPU\":2,", "\"mappings\":{\"_A\":[\"" + OTHER + "\"]},", "\"consumer_type\":\"X_1\",",
            "\"project_id\":\"q\",", "\"" + HOST + "\":{\"resources\":{\"VCPU\":1}},", "\"user_id\":1,",
            OTHER.toUpperCase(Locale.ROOT),
            "urn:uuid:", " ", " ", "1", "9", "//");

    private final AllocationBody bodies = new AllocationBody(null);

    @ParameterizedTest
    @CsvSource({"0, true, true", "1, false, true", "2, false, false", "2, false, true"})
    void parsesBodiesThatClientsSend(int body, boolean typed, boolean mapped) {
        String text = BODIES.get(body);
        assertThat(find(text, typed, mapped)).isNotNull().isEqualTo(expected(text, typed, mapped));
    }

    @ParameterizedTest
    @ValueSource(ints = {28, 34, 38})
    void acceptsOnlyBodiesThatTheSchemaParsesTheSameWay(int minor) {
        long seed = Seed.of(FastClaimParserTest.class);
        var random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < 30_000; i++) {
            String text = mutated(BODIES.get(random.nextInt(BODIES.size())), random);
            ConsumerClaim claim = find(text, minor >= 38, minor >= 34);
            if (claim != null) {
                accepted++;
                assertThat(claim).as("seed %d: %s", seed, text).isEqualTo(expected(text, minor >= 38, minor >= 34));
            }
        }
        assertThat(accepted).as("mutations that leave a plain claim").isGreaterThan(80);
    }

    /** A quadratic comparison of the names would take almost an hour. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void parsesManyNamesInLinearTime() {
        String classes = IntStream.range(0, MANY).mapToObj(i -> "\"C_" + i + "\":1").collect(Collectors.joining(","));
        ConsumerClaim claim = find("{\"allocations\":{\"" + HOST + "\":{\"resources\":{" + classes + "}}},"
                + "\"consumer_generation\":null,\"project_id\":\"p\",\"user_id\":\"u\"}", false, false);
        assertThat(claim.amounts()).hasSize(MANY);
    }

    @Test
    void leavesUnusualBodiesToTheSchema() {
        String text = BODIES.getFirst().replace("\"p\"", "\"\u00e9\"");
        assertThat(find(text, true, true)).isNull();
        assertThat(expected(text, true, true).projectId()).isEqualTo("\u00e9");
    }

    private static String mutated(String text, Random random) {
        var changed = new StringBuilder(text);
        for (int n = Math.max(0, random.nextInt(4) - 1); n >= 0; n--) {
            int at = random.nextInt(changed.length());
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> changed.insert(at, piece);
                case 1 -> changed.replace(at, Math.min(changed.length(), at + 1 + random.nextInt(4)), piece);
                case 2 -> changed.delete(at, Math.min(changed.length(), at + 1 + random.nextInt(20)));
                // Inserts where a member may be.
                default -> changed.insert(changed.indexOf("{", at) + 1, piece);
            }
            if (changed.isEmpty()) {
                break;
            }
        }
        return changed.toString();
    }

    private static ConsumerClaim find(String body, boolean typed, boolean mapped) {
        return FastClaimParser.parse(VM, body.getBytes(StandardCharsets.UTF_8), typed, mapped);
    }

    /** Returns the claim that the schema and the tree parser return. */
    private ConsumerClaim expected(String body, boolean typed, boolean mapped) {
        try {
            var byConsumer = Json.object();
            byConsumer.set(VM.toString(), (typed ? PUT_1_38 : mapped ? PUT_1_34 : PUT_1_28)
                    .parse(body.getBytes(StandardCharsets.UTF_8)));
            return bodies.parseConsumers(byConsumer).getFirst();
        } catch (ApiException refused) {
            throw new AssertionError("refused: " + refused.getMessage() + ": " + body, refused);
        }
    }
}
