package io.berth.deploy.checks.nativeimage;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls in a method, with what the preceding instructions reveal about their arguments. */
final class Calls {
    /**
     * One call.
     *
     * @param owner internal name of the class whose method is called
     * @param from internal name and method of the caller, for messages
     * @param last static type of the last argument, or empty if the preceding instruction does not reveal it
     * @param classes binary names of the class literals among the instructions since the previous call
     */
    record Call(
            String owner, String name, String descriptor, String from, Optional<ClassDesc> last,
            List<String> classes) {}

    private Calls() {}

    static List<Call> in(ClassModel type) {
        return type.methods().stream().flatMap(method -> in(type, method).stream()).toList();
    }

    static List<Call> in(ClassModel type, MethodModel method) {
        List<Call> calls = new ArrayList<>();
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return calls;
        }
        String from = type.thisClass().asInternalName() + "." + method.methodName().stringValue();
        List<LocalVariable> locals = code.elementStream()
                .filter(LocalVariable.class::isInstance).map(LocalVariable.class::cast).toList();
        List<String> literals = new ArrayList<>();
        Instruction before = null;
        for (CodeElement element : code) {
            switch (element) {
                case InvokeInstruction call -> {
                    calls.add(new Call(
                            call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue(), from,
                            typeOf(before, type, locals), List.copyOf(literals)));
                    literals.clear();
                }
                case InvokeDynamicInstruction lambda ->
                    lambda.bootstrapArgs().forEach(argument -> addTarget(argument, from, calls));
                case ConstantInstruction.LoadConstantInstruction constant -> {
                    if (constant.constantValue() instanceof ClassDesc literal) {
                        literals.add(binaryName(literal));
                    }
                }
                default -> {}
            }
            if (element instanceof Instruction instruction) {
                before = instruction;
            }
        }
        return calls;
    }

    /** Adds the target of a method reference or a lambda, which counts as called. */
    private static void addTarget(ConstantDesc argument, String from, List<Call> calls) {
        if (argument instanceof DirectMethodHandleDesc handle) {
            calls.add(new Call(
                    internalName(handle.owner()), handle.methodName(), handle.lookupDescriptor(), from,
                    Optional.empty(), List.of()));
        }
    }

    private static Optional<ClassDesc> typeOf(Instruction instruction, ClassModel type, List<LocalVariable> locals) {
        return Optional.ofNullable(switch (instruction) {
            case InvokeInstruction call -> call.name().equalsString("<init>")
                    ? call.owner().asSymbol() : call.typeSymbol().returnType();
            case InvokeDynamicInstruction dynamic -> dynamic.typeSymbol().returnType();
            case FieldInstruction field -> field.typeSymbol();
            case NewObjectInstruction made -> made.className().asSymbol();
            case TypeCheckInstruction cast -> cast.type().asSymbol();
            case ConstantInstruction constant -> constant.constantValue() instanceof String
                    ? String.class.describeConstable().orElseThrow() : null;
            case LoadInstruction load -> locals.stream()
                    .filter(local -> local.slot() == load.slot())
                    .map(LocalVariable::typeSymbol)
                    .reduce((one, other) -> one.equals(other) ? one : Object.class.describeConstable().orElseThrow())
                    .orElse(load.slot() == 0 ? type.thisClass().asSymbol() : null);
            case null, default -> null;
        });
    }

    /** Returns the name that reflection uses, with dots and a dollar before nested classes. */
    static String binaryName(ClassDesc type) {
        return internalName(type).replace('/', '.');
    }

    static String internalName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
    }
}
