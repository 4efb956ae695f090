package io.berth.deploy.checks.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.berth.deploy.checks.Yamls;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** One object of a manifest. */
record Manifest(String file, Map<String, Object> content) {
    /** Kinds of operators whose schemas the Kubernetes client does not include. */
    private static final Set<String> CUSTOM = Set.of(
            "postgresql.cnpg.io/v1 Cluster", "postgresql.cnpg.io/v1 ScheduledBackup",
            "barmancloud.cnpg.io/v1 ObjectStore", "monitoring.coreos.com/v1 ServiceMonitor",
            "monitoring.coreos.com/v1 PrometheusRule");

    private interface Checker {
        void check(JsonElement json) throws IOException;
    }

    private static final Map<String, Checker> CHECKERS = Map.of(
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "v1 ConfigMap", V1ConfigMap::validateJsonElement,
            "v1 Secret", V1Secret::validateJsonElement,
            "v1 Namespace", V1Namespace::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement,
            "networking.k8s.io/v1 Ingress", V1Ingress::validateJsonElement);

    String kind() {
        return content.get("apiVersion") + " " + content.get("kind");
    }

    boolean is(String kind) {
        return kind.equals(content.get("kind"));
    }

    String name() {
        return (String) Yamls.at(content, "metadata", "name");
    }

    Object at(Object... path) {
        return Yamls.at(content, path);
    }

    /** Throws for an unknown kind, an unknown member, or a missing required member. */
    void check() throws IOException {
        Checker checker = CHECKERS.get(kind());
        if (CUSTOM.contains(kind())) {
            return;
        }
        if (checker == null) {
            throw new IllegalArgumentException(file + ": no schema for " + kind());
        }
        checker.check(new Gson().toJsonTree(content));
    }

    @Override
    public String toString() {
        return file + ": " + kind() + " " + name();
    }
}
