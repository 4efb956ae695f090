package io.berth.deploy.checks.nativeimage;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the input of native-image includes every class and file that a service uses by name or by reflection. The
 * tests find these uses in the classes, so no list here must be maintained.
 */
@EnabledIfSystemProperty(
        named = "berth.native-sources", matches = "made",
        disabledReason = "skipped: deploy/test/native-sources runs it")
class NativeSourcesTest {
    /** Bodies that are written without a mapper. */
    private static final Set<String> WRITTEN_BY_HAND = Set.of(
            "Ljava/lang/String;", "[B", "Ljava/lang/Void;", "V", "Ljakarta/ws/rs/core/Response;",
            "Lcom/fasterxml/jackson/databind/JsonNode;", "Lcom/fasterxml/jackson/databind/node/ObjectNode;",
            "Lcom/fasterxml/jackson/databind/node/ArrayNode;",
            // LongBodyWriter writes it.
            "Lio/berth/placement/http/LongBody;");
    private static final String[] ROUTE = {"GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"};

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyEntityAndItsKeyIsRegistered(String service) {
        var sources = NativeSources.of(service);
        List<String> persistent = new ArrayList<>();
        sources.classes().forEach((name, type) -> {
            if (Annotations.has(type, "Entity", "Embeddable", "MappedSuperclass")) {
                persistent.add(name.replace('/', '.'));
            }
            Annotations.find(type, "IdClass").map(Annotations::classValue).ifPresent(persistent::add);
        });
        assertThat(persistent).hasSizeGreaterThan(3);
        assertThat(sources.reflective()).containsAll(persistent);
    }

    /** Only a native service fails here: a response body whose class is not registered becomes a bare 500. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyBodyOfARouteOrExceptionMapperIsHandWrittenOrRegistered(String service) {
        var sources = NativeSources.of(service);
        List<String> found = new ArrayList<>();
        for (ClassModel type : sources.classes().values()) {
            for (MethodModel method : type.methods()) {
                if (Annotations.has(method, ROUTE) || Annotations.has(method, "ServerExceptionMapper")) {
                    String body = body(method);
                    found.add(body);
                    assertThat(isSafe(sources, body))
                            .as("%s.%s answers %s", type.thisClass().asInternalName(), method.methodName(), body)
                            .isTrue();
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyEntityOfAResponseIsHandWrittenOrRegistered(String service) {
        var sources = NativeSources.of(service);
        List<Calls.Call> bodies = calls(sources, call -> call.descriptor().startsWith("(Ljava/lang/Object;")
                && (call.owner().startsWith("jakarta/ws/rs/core/Response")
                        || call.owner().startsWith("org/jboss/resteasy/reactive/RestResponse"))
                && Set.of("entity", "ok", "accepted").contains(call.name())
                || call.owner().equals("org/jboss/resteasy/reactive/RestResponse$ResponseBuilder")
                        && call.name().equals("create"));
        assertThat(bodies).isNotEmpty().allSatisfy(call -> {
            assertThat(call.last()).as("%s: give the body a static type that says what it is", call).isPresent();
            String body = call.last().orElseThrow().descriptorString();
            assertThat(isSafe(sources, body)).as("%s sends %s", call.from(), body).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyClassThatJacksonBindsIsRegistered(String service) {
        var sources = NativeSources.of(service);
        List<Calls.Call> bindings = calls(sources,
                call -> call.owner().startsWith("com/fasterxml/jackson/databind/Object")
                        && Set.of("readValue", "treeToValue", "convertValue", "readerFor", "forType", "valueToTree",
                                "writeValueAsString", "writeValueAsBytes", "writeValue", "writerFor")
                                .contains(call.name()));
        assertThat(bindings).allSatisfy(call -> {
            boolean literal = !call.classes().isEmpty();
            assertThat(literal || call.last().isPresent()).as("%s: a type that can be determined", call).isTrue();
            if (literal) {
                assertThat(call.classes()).as(call.from()).allMatch(name -> name.startsWith("com.fasterxml.jackson.")
                        || name.startsWith("java.lang.") || sources.reflective().contains(name));
            } else {
                String bound = call.last().orElseThrow().descriptorString();
                assertThat(isSafe(sources, bound)).as("%s binds %s", call.from(), bound).isTrue();
            }
        });
    }

    /** Berth's own classes must not be looked up by a name that is known only at run time. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void noClassIsLoadedByNameAtRunTime(String service) {
        assertThat(
                calls(NativeSources.of(service), call -> Stream.of(
                        "java/lang/Class.forName", "java/lang/ClassLoader.loadClass",
                        "java/lang/reflect/Proxy.newProxyInstance",
                        "java/util/ServiceLoader.load", "java/io/ObjectInputStream.readObject",
                        "java/lang/reflect/Method.invoke", "java/lang/Class.getDeclaredConstructor",
                        "java/lang/Class.getRecordComponents", "java/lang/Class.getDeclaredMethods",
                        "java/lang/Class.getDeclaredFields", "java/lang/Class.getMethod")
                        .anyMatch((call.owner() + "." + call.name())::equals)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyResourceOfTheServiceIsKept(String service) {
        var sources = NativeSources.of(service);
        List<String> read = sources.files().stream()
                .filter(file -> !file.startsWith("META-INF/") && !file.endsWith(".properties"))
                .toList();
        assertThat(read).filteredOn(file -> file.startsWith("db/" + service + "/")).isNotEmpty();
        assertThat(read).allSatisfy(file -> assertThat(sources.keeps(file)).as(file).isTrue());
    }

    /** The schema validator reads its messages from a bundle, also those that Berth replaces. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void theSchemaValidatorsMessagesAreKeptIfItIsUsed(String service) {
        var sources = NativeSources.of(service);
        boolean validates = !calls(sources, call -> call.owner().startsWith("com/networknt/schema/")).isEmpty();
        assertThat(validates).isEqualTo(service.equals("placement"));
        assertThat(sources.bundles().contains("jsv-messages")).isEqualTo(validates);
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyConfigurationSourceIsRegistered(String service) {
        var sources = NativeSources.of(service);
        List<String> factories = sources.classes().values().stream()
                .filter(type -> type.interfaces().stream()
                        .anyMatch(each -> each.asInternalName().equals("io/smallrye/config/ConfigSourceFactory")))
                .map(type -> type.thisClass().asInternalName().replace('/', '.'))
                .toList();
        assertThat(factories).isNotEmpty();
        assertThat(sources.reflective()).containsAll(factories);
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void staticFieldsKeepNoStateOfTheBuildMachine(String service) {
        assertThat(BuildTimeState.captured(NativeSources.of(service).classes())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyLibraryIsKnownToWorkInNativeImages(String service) {
        assertThat(NativeSources.of(service).libraries()).isNotEmpty().allMatch(Libraries::isKnown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void theBuildHasNoFallbackAndLinksEverything(String service) {
        assertThat(NativeSources.of(service).arguments()).contains("--no-fallback", "--link-at-build-time");
    }

    private static List<Calls.Call> calls(NativeSources sources, Predicate<Calls.Call> wanted) {
        return sources.classes().values().stream()
                .filter(type -> !isGenerated(type))
                .flatMap(type -> Calls.in(type).stream())
                .filter(wanted)
                .toList();
    }

    /** Returns whether Quarkus generated the class; such classes register what they need themselves. */
    private static boolean isGenerated(ClassModel type) {
        String name = type.thisClass().asInternalName();
        return type.findAttribute(Attributes.sourceFile()).isEmpty()
                || name.matches(".*(_Bean|_ClientProxy|_Subclass|_Observer|\\$\\$CMImpl).*");
    }

    /** Returns the descriptor of the body that is sent: {@code Uni<Response>} sends a Response. */
    private static String body(MethodModel method) {
        Signature result = method.findAttribute(Attributes.signature())
                .map(attribute -> MethodSignature.parseFrom(attribute.signature().stringValue()).result())
                .orElse(Signature.of(method.methodTypeSymbol().returnType()));
        while (result instanceof Signature.ClassTypeSig wrapper && !wrapper.typeArgs().isEmpty()
                && wrapper.typeArgs().getFirst() instanceof Signature.TypeArg.Bounded argument) {
            result = argument.boundType();
        }
        return result.signatureString();
    }

    private static boolean isSafe(NativeSources sources, String descriptor) {
        return WRITTEN_BY_HAND.contains(descriptor)
                || descriptor.startsWith("L")
                        && sources.reflective().contains(Calls.binaryName(ClassDesc.ofDescriptor(descriptor)));
    }
}
