package io.berth.identity;

import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.TreeSet;

/** A service with one route, which returns the caller that was identified. */
@Singleton
class WhoAmI {
    void routes(@Observes Router router) {
        router.get("/whoami").handler(request -> {
            var response = request.response();
            switch (Identification.of(request)) {
                case Identification.Known known -> response.end(
                        known.caller().userId() + " " + known.caller().projectId() + " "
                                + new TreeSet<>(known.caller().roles())
                                + (known.caller().systemScoped() ? " system" : ""));
                case Identification.Unauthenticated unknown -> response.setStatusCode(401)
                        .putHeader("www-authenticate", unknown.challenge()).end(unknown.reason());
                case Identification.Unavailable away -> response.setStatusCode(503).end(away.reason());
                case null -> response.setStatusCode(500).end("not looked at");
            }
        });
    }
}
