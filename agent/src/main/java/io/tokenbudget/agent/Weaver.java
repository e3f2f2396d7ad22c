package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.instrument.ClassFileTransformer;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.bytecode.member.MethodInvocation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.utility.JavaConstant;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/**
 * Turns the table of hooks into a class file transformer, with Byte Buddy.
 *
 * <p>Calls to advices are {@code invokedynamic}: the woven class refers to the dispatcher and to nothing else of ours, and
 * the advice is an ordinary class. Super types are read from class files, never loaded.
 */
final class Weaver {
    private final Dispatcher dispatcher;
    private final Notices notices;

    Weaver(Dispatcher dispatcher, Notices notices) {
        this.dispatcher = dispatcher;
        this.notices = notices;
    }

    ClassFileTransformer transformer(List<Hook> hooks) {
        AgentBuilder builder = new AgentBuilder.Default(byteBuddy())
                .with(AgentBuilder.TypeStrategy.Default.DECORATE)
                .disableClassFormatChanges()
                .with(AgentBuilder.PoolStrategy.Default.FAST)
                .with(AgentBuilder.DescriptionStrategy.Default.POOL_ONLY)
                .with(new Complaints())
                .ignore(ElementMatchers.none());
        for (Hook hook : hooks) {
            builder = builder.type(type -> declares(type, hook)).transform(advice(hook));
        }
        return builder.makeRaw();
    }

    private static ByteBuddy byteBuddy() {
        return new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                .with(InstrumentedType.Factory.Default.FROZEN);
    }

    private AgentBuilder.Transformer advice(Hook hook) {
        List<JavaConstant> link =
                List.of(JavaConstant.Simple.ofLoaded(hook.advice()), JavaConstant.Simple.ofLoaded(hook.kind()));
        Advice.WithCustomMapping advice = Advice.withCustomMapping()
                .bootstrap(dispatcher.bootstrap(), (adviceMethod, exit) -> (type, method) -> link)
                .bind(Kind.class, hook.kind())
                .with(new Advice.AssignReturned.Factory());
        ElementMatcher<MethodDescription> hooked = method -> isHooked(method, hook);
        return new AgentBuilder.Transformer.ForAdvice(advice)
                .include(Weaver.class.getClassLoader())
                .with(AgentBuilder.PoolStrategy.Default.FAST)
                .withExceptionHandler(new Advice.ExceptionHandler.Simple(
                        MethodInvocation.invoke(new MethodDescription.ForLoadedMethod(dispatcher.fault()))))
                .advice(hooked, hook.advice());
    }

    private static boolean declares(TypeDescription type, Hook hook) {
        for (MethodDescription method : type.getDeclaredMethods()) {
            if (isHooked(method, hook)) {
                return !isOfTheFramework(type, hook) && SuperTypes.of(type).contains(hook.superType());
            }
        }
        return false;
    }

    /** Also an override that returns a subtype: beside it the compiler puts a bridge with the hooked descriptor. */
    private static boolean isHooked(MethodDescription method, Hook hook) {
        if (!method.getName().equals(hook.method()) || method.isAbstract() || method.isStatic() || method.isBridge()) {
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

    /** Says which class could not be woven. */
    private final class Complaints extends AgentBuilder.Listener.Adapter {
        @Override
        public void onError(
                String typeName,
                @Nullable ClassLoader loader,
                @Nullable JavaModule module,
                boolean loaded,
                Throwable fault) {
            notices.warn(typeName + " could not be instrumented, its calls are not metered: " + fault);
        }
    }
}
