package io.berth.deploy.checks.reference;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The javadoc of both services and of their shared modules, which javac reads from the sources. */
final class Sources {
    private final Map<String, Doc> docs = new HashMap<>();
    private final Map<String, Doc> docsOfConstants = new HashMap<>();
    private final Map<String, List<String>> constructors = new HashMap<>();

    Sources() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources()));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Reader(trees, unit).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param name the binary name, with {@code $} before the name of a nested class */
    Doc ofClass(String name) {
        return docs.getOrDefault(name, Doc.NONE);
    }

    /** Returns the comment of a method, a constructor ({@code <init>}), a field or a constant of an enum. */
    Doc ofMember(String className, String member) {
        return docs.getOrDefault(className + "#" + member, Doc.NONE);
    }

    /** Returns the comment of a parameter of the constructor with this number of parameters. */
    String ofParameter(String className, int parameters, int index) {
        String constructor = className + "#<init>/" + parameters;
        List<String> names = constructors.getOrDefault(constructor, List.of());
        return names.isEmpty()
                ? ""
                : docs.getOrDefault(constructor, Doc.NONE).parameters().getOrDefault(names.get(index), "");
    }

    /** Returns the comment of the field that is initialized with this text. */
    Doc ofConstant(String text) {
        return docsOfConstants.getOrDefault(text, Doc.NONE);
    }

    private static List<Path> sources() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path module : ProjectFiles.modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
            }
        }
        return found;
    }

    private final class Reader extends TreePathScanner<Void, Void> {
        private final DocTrees trees;
        private final String packageName;
        private String className = "";

        Reader(DocTrees trees, CompilationUnitTree unit) {
            this.trees = trees;
            this.packageName = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            String outer = className;
            className = outer.isEmpty() ? packageName + "." + type.getSimpleName() : outer + "$" + type.getSimpleName();
            note(className);
            super.visitClass(type, null);
            className = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            String member = className + "#" + method.getName();
            note(member);
            if (method.getReturnType() == null) {
                String constructor = member + "/" + method.getParameters().size();
                note(constructor);
                constructors.put(
                        constructor,
                        method.getParameters().stream().map(each -> each.getName().toString()).toList());
            }
            return super.visitMethod(method, null);
        }

        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
            if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree) {
                note(className + "#" + variable.getName());
                Tree value = variable.getInitializer();
                if (value instanceof LiteralTree literal && literal.getValue() instanceof String text) {
                    Doc doc = ofMember(className, variable.getName().toString());
                    if (!doc.equals(Doc.NONE)) {
                        docsOfConstants.put(text, doc);
                    }
                }
            }
            return super.visitVariable(variable, null);
        }

        private void note(String name) {
            String comment = trees.getDocComment(getCurrentPath());
            if (comment != null) {
                docs.put(name, Doc.parse(comment));
            }
        }
    }
}
