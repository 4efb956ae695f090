package io.berth.scheduler.signin;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.PackagedPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Tests sign-in without an identity service. PageIT and deploy/test/keystone test it with Keystone and a provider. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class SignInEndpointIT {
    @Test
    void returnsTheAuthenticationStrategyWithoutAToken() {
        given().get("/v1/sign_in").then().statusCode(200)
                .body("strategy", equalTo("noauth2"))
                .body("password", equalTo(false))
                .body("authorization", nullValue());
        given().get("/v1/sign_in?next=http://elsewhere.example").then().statusCode(400);
    }

    @Test
    void refusesToExchangeCredentialsIfItIssuesNoTokens() {
        given().contentType("application/json").body("{\"user\": \"u\", \"password\": \"p\", \"project\": \"q\"}")
                .post("/v1/sign_in").then().statusCode(400)
                .body("errors[0].detail", startsWith("this service does not issue tokens"));
        given().contentType("text/plain").body("x").post("/v1/sign_in").then().statusCode(415);
    }
}
