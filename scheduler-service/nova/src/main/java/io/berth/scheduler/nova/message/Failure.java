package io.berth.scheduler.nova.message;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * An exception that the caller of an RPC method raises. A caller that allows exceptions of the module raises
 * {@code type(message, **kwargs)}; any other caller raises oslo.messaging's RemoteError.
 * <br>Source: oslo.messaging {@code _drivers/common.py} (serialize_remote_exception).
 *
 * @param module the Python module of the exception
 * @param type the name of the Python class
 * @param kwargs keyword arguments of the exception's constructor, by name; each value is a text or an Integer
 */
public record Failure(String module, String type, String message, Map<String, Object> kwargs) {
    private static final String NOVA = "nova.exception";
    private static final String DISPATCHER = "oslo_messaging.rpc.dispatcher";
    private static final int INTERNAL_ERROR = 500;

    public Failure {
        kwargs = Map.copyOf(kwargs);
    }

    /** Creates one of nova's own exceptions. Its message consists of {@code prefix} and the reason. */
    private static Failure nova(String type, String prefix, String reason) {
        return new Failure(NOVA, type, prefix + reason, Map.of("reason", reason, "code", INTERNAL_ERROR));
    }

    /** Reports that no host was found. */
    public static Failure noValidHost(String reason) {
        return nova("NoValidHost", "No valid host was found. ", reason);
    }

    /** Reports an invalid request. */
    public static Failure requestFilterFailed(String reason) {
        return nova("RequestFilterFailed", "Scheduling failed: ", reason);
    }

    /** Reports a server group whose policy no enabled filter supports. */
    public static Failure unsupportedPolicy(String reason) {
        return nova("UnsupportedPolicyException", "ServerGroup policy is not supported: ", reason);
    }

    /**
     * Reports that the claim could not be written.
     *
     * @param consumer uuid of the instance
     * @param error the cause
     */
    public static Failure allocationUpdateFailed(String consumer, String error) {
        return new Failure(
                NOVA,
                "AllocationUpdateFailed",
                "Failed to update allocations for consumer " + consumer + ". Error: " + error,
                Map.of("consumer_uuid", consumer, "error", error, "code", INTERNAL_ERROR));
    }

    /** Reports a method that does not exist in the called namespace. */
    public static Failure noSuchMethod(String method) {
        return new Failure(
                DISPATCHER, "NoSuchMethod", "Endpoint does not support RPC method " + method, Map.of());
    }

    /**
     * Reports a message for an unknown namespace, or a message that requires a version of the interface which is newer
     * than the server's, or incompatible.
     */
    public static Failure unsupportedVersion(RpcVersion version, String method) {
        return new Failure(
                DISPATCHER,
                "UnsupportedVersion",
                "Endpoint does not support RPC version " + version + ". Attempted method: " + method,
                Map.of());
    }

    /** Reports a message that cannot be read, or a call whose repetition would fail again. */
    public static Failure valueError(String message) {
        return new Failure("builtins", "ValueError", message, Map.of());
    }

    /** Reports an internal error of Berth. */
    public static Failure runtimeError(String message) {
        return new Failure("builtins", "RuntimeError", message, Map.of());
    }

    /** Returns the failure as oslo.messaging serializes an exception, with a traceback of one line. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("class", type).put("module", module).put("message", message);
        json.putArray("tb").add(module + "." + type + ": " + message + "\n");
        json.putArray("args").add(message);
        ObjectNode kwargsJson = json.putObject("kwargs");
        kwargs.forEach((name, value) -> {
            if (value instanceof Integer number) {
                kwargsJson.put(name, number);
            } else {
                kwargsJson.put(name, value.toString());
            }
        });
        return json;
    }
}
