package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.TypeResolutionStrategy;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.JavaConstant;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the hooks into classes, with Byte Buddy.
 *
 * <p>Calls to advices are {@code invokedynamic}: the woven class refers to the dispatcher and to nothing else of ours, and
 * the advice is an ordinary class. Super types are read from class files, never loaded.
 *
 * <p>A transformer of our own around Byte Buddy's decorator rather than an {@code AgentBuilder}, which takes a tenth of a
 * second more to start: it generates a class of its own and prepares for much that is not done here.
 *
 * <p>Immutable.
 */
final class Weaver implements ClassFileTransformer {
    private static final String TOKEN_BUDGET = "io.tokenbudget.agent.advice.TokenBudgetAdvice";
    private static final String ELSEWHERE = "io.tokenbudget.agent.advice.ElsewhereAdvice";

    private final Dispatcher dispatcher;
    private final Notices notices;
    private final Bridges bridges;
    private final ByteBuddy byteBuddy = new ByteBuddy()
            .with(TypeValidation.DISABLED)
            .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
            .with(InstrumentedType.Factory.Default.FROZEN);
    private final ClassFileLocator advices = ClassFileLocator.ForClassLoader.of(Weaver.class.getClassLoader());

    /** @param bridges are told of what a framework lacks */
    Weaver(Dispatcher dispatcher, Notices notices, Bridges bridges) {
        this.dispatcher = dispatcher;
        this.notices = notices;
        this.bridges = bridges;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String internalName,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (internalName == null) {
            return null;
        }
        String name = internalName.replace('/', '.');
        try {
            return weave(name, loader, classFile);
        } catch (Throwable fault) {
            notices.warn(name + " could not be instrumented, its calls are not metered: " + fault);
            return null;
        }
    }

    private byte @Nullable [] weave(String name, @Nullable ClassLoader loader, byte[] classFile) {
        ClassFileLocator application = new ClassFileLocator.Compound(
                ClassFileLocator.Simple.of(name, classFile), ClassFileLocator.ForClassLoader.of(loader));
        TypePool types = pool(application);
        TypeDescription type = types.describe(name).resolve();
        DynamicType.Builder<?> woven = null;
        for (Hook hook : Hooks.ALL) {
            if (declares(type, hook)) {
                woven = (woven == null ? byteBuddy.decorate(type, application) : woven)
                        .visit(around(hook.advice(), hook.kind(), method -> isHooked(method, hook), application));
            }
        }
        ElementMatcher<MethodDescription> budgeted = BudgetedTypes.methodsOf(type);
        if (budgeted != null) {
            woven = (woven == null ? byteBuddy.decorate(type, application) : woven)
                    .visit(around(TOKEN_BUDGET, "", budgeted, application));
        }
        for (ChokePoint point : Hooks.CHOKE_POINTS) {
            ElementMatcher<MethodDescription> elsewhere = elsewhere(type, point, types);
            if (elsewhere != null) {
                woven = (woven == null ? byteBuddy.decorate(type, application) : woven)
                        .visit(around(ELSEWHERE, point.kind(), elsewhere, application));
                if (point.type().equals(name) && loader != null) {
                    bridges.of(loader).lacks(point);
                }
            }
        }
        return woven == null
                ? null
                : woven.make(TypeResolutionStrategy.Disabled.INSTANCE, types).getBytes();
    }

    private static TypePool pool(ClassFileLocator classFiles) {
        return new TypePool.Default.WithLazyResolution(
                TypePool.CacheProvider.Simple.withObjectType(), classFiles, TypePool.Default.ReaderMode.FAST);
    }

    private AsmVisitorWrapper around(
            String adviceName, String kind, ElementMatcher<MethodDescription> methods, ClassFileLocator application) {
        ClassFileLocator both = new ClassFileLocator.Compound(advices, application);
        List<JavaConstant> link = List.of(JavaConstant.Simple.ofLoaded(adviceName), JavaConstant.Simple.ofLoaded(kind));
        Advice advice = Advice.withCustomMapping()
                .bootstrap(dispatcher.bootstrap(), (adviceMethod, exit) -> (type, method) -> link)
                .bind(Kind.class, kind)
                .with(new Advice.AssignReturned.Factory())
                .to(pool(both).describe(adviceName).resolve(), both)
                .withExceptionHandler(new Advice.ExceptionHandler.Simple(
                        MethodInvocation.invoke(new MethodDescription.ForLoadedMethod(dispatcher.fault()))));
        return new AsmVisitorWrapper.ForDeclaredMethods().invokable(methods, advice);
    }

    /**
     * The methods of {@code type} by which calls may come in a framework that lacks {@code point}, to be counted; null if
     * there are none: in the framework's own type whatever it does with an argument, in others what has the same signature
     * under another name.
     */
    private static @Nullable ElementMatcher<MethodDescription> elsewhere(
            TypeDescription type, ChokePoint point, TypePool types) {
        if (type.getName().equals(point.type())) {
            return point.isIn(type) ? null : method -> isCallByDefault(method);
        }
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (point.isRenamedTo(method)) {
                return isSubtypeWithout(type, point, types) ? point::isRenamedTo : null;
            }
        }
        return null;
    }

    private static boolean isCallByDefault(MethodDescription method) {
        return !method.isAbstract()
                && !method.isStatic()
                && method.isPublic()
                && !method.getParameters().isEmpty();
    }

    private static boolean isSubtypeWithout(TypeDescription type, ChokePoint point, TypePool types) {
        if (!SuperTypes.of(type).contains(point.type())) {
            return false;
        }
        TypePool.Resolution lacking = types.describe(point.type());
        return lacking.isResolved() && !point.isIn(lacking.resolve());
    }

    private static boolean declares(TypeDescription type, Hook hook) {
        if (hook.exact() && !type.getName().equals(hook.superType())) {
            return false;
        }
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (isHooked(method, hook)) {
                return hook.exact()
                        || (!isOfTheFramework(type, hook) && SuperTypes.of(type).contains(hook.superType()));
            }
        }
        return false;
    }

    /** Also an override that returns a subtype: beside it the compiler puts a bridge with the hooked descriptor. */
    private static boolean isHooked(MethodDescription method, Hook hook) {
        if (!method.getName().equals(hook.method()) || method.isAbstract() || method.isBridge()) {
            return false;
        }
        if (method.isStatic() && !hook.exact()) {
            return false;
        }
        String descriptor = method.getDescriptor();
        return descriptor.equals(hook.descriptor())
                || (parameters(descriptor).equals(parameters(hook.descriptor())) && hasBridge(method, hook));
    }

    private static String parameters(String descriptor) {
        return descriptor.substring(0, descriptor.indexOf(')') + 1);
    }

    private static boolean hasBridge(MethodDescription method, Hook hook) {
        for (MethodDescription other : method.getDeclaringType().getDeclaredMethods()) {
            if (other.isBridge()
                    && other.getName().equals(hook.method())
                    && other.getDescriptor().equals(hook.descriptor())) {
                return true;
            }
        }
        return false;
    }

    /** Default methods of the framework's own interfaces only hand on, or say that there is no implementation. */
    private static boolean isOfTheFramework(TypeDescription type, Hook hook) {
        String framework = hook.superType().substring(0, hook.superType().indexOf(".model.") + 1);
        return type.isInterface()
                && (type.getName().equals(hook.superType()) || type.getName().startsWith(framework));
    }
}
