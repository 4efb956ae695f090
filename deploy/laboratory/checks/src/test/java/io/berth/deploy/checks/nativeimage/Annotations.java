package io.berth.deploy.checks.nativeimage;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.util.List;
import java.util.Optional;

/** Reads annotations from class files. */
final class Annotations {
    private Annotations() {}

    static List<Annotation> of(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(attribute -> attribute.annotations())
                .orElse(List.of());
    }

    /** @param types simple names */
    static boolean has(AttributedElement element, String... types) {
        return of(element).stream().anyMatch(annotation -> List.of(types).contains(simpleName(annotation)));
    }

    static Optional<Annotation> find(AttributedElement element, String type) {
        return of(element).stream().filter(annotation -> simpleName(annotation).equals(type)).findFirst();
    }

    /** Returns the binary name of the class that is the annotation's {@code value}. */
    static String classValue(Annotation annotation) {
        var value = (AnnotationValue.OfClass) annotation.elements().getFirst().value();
        return Calls.binaryName(value.classSymbol());
    }

    private static String simpleName(Annotation annotation) {
        return annotation.classSymbol().displayName();
    }
}
