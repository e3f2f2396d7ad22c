package io.tokenbudget.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.inject.ExecutableMethod;
import io.tokenbudget.core.metering.CallMeter;
import io.tokenbudget.core.method.BudgetedMethod;
import io.tokenbudget.core.method.CallableMethod;
import io.tokenbudget.core.method.InvalidTokenBudgetException;
import io.tokenbudget.core.method.MethodSignature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods of beans with {@link io.tokenbudget.TokenBudget}: each is checked when the context starts, which fails where one
 * cannot mean what is written. Thread-safe.
 */
@Context
final class BudgetedMethods {
    private final CallMeter meter;
    private final BeanContext beans;

    /** By what is called, on what; empty for a method without the annotation. */
    private final Map<Key, Optional<BudgetedMethod>> known = new ConcurrentHashMap<>();

    private record Key(Class<?> target, Class<?> declaring, String name, List<Class<?>> parameters) {
        static Key of(Class<?> target, ExecutableMethod<?, ?> method) {
            return new Key(
                    target, method.getDeclaringType(), method.getMethodName(), List.of(method.getArgumentTypes()));
        }
    }

    /** @throws io.tokenbudget.core.method.InvalidTokenBudgetException if an annotation cannot mean what is written */
    BudgetedMethods(CallMeter meter, BeanContext beans) {
        this.meter = meter;
        this.beans = beans;
        for (BeanDefinitionReference<?> reference : beans.getBeanDefinitionReferences()) {
            // The visitor asks for that, so that no other class has to be loaded for it.
            if (reference.requiresMethodProcessing()) {
                check(reference);
            }
        }
    }

    private void check(BeanDefinitionReference<?> reference) {
        try {
            if (reference.isEnabled(beans)) {
                check(reference.load(beans));
            }
        } catch (InvalidTokenBudgetException wrongUse) {
            throw wrongUse;
        } catch (RuntimeException | LinkageError fault) {
            meter.fault("looking for @TokenBudget in " + reference.getName(), fault);
        }
    }

    private void check(BeanDefinition<?> bean) {
        if (bean.isEnabled(beans)) {
            for (ExecutableMethod<?, ?> method : bean.getExecutableMethods()) {
                known.put(
                        Key.of(bean.getBeanType(), method),
                        budgeted(method, bean.getBeanType(), bean, name -> named(bean, name)));
            }
        }
    }

    /**
     * @param target the class of the object that it is called on
     * @return null for a method without the annotation
     */
    @Nullable
    BudgetedMethod of(ExecutableMethod<?, ?> method, Class<?> target) {
        Key key = Key.of(target, method);
        Optional<BudgetedMethod> found = known.get(key);
        if (found == null) {
            // What a factory has made is of a class that Micronaut knows nothing of.
            found = budgeted(
                    method,
                    target,
                    null,
                    name -> beans.findBeanDefinition(target)
                            .map(bean -> named(bean, name))
                            .orElseGet(() -> CallableMethod.of(target, name)));
            known.put(key, found);
        }
        return found.orElse(null);
    }

    private Optional<BudgetedMethod> budgeted(
            ExecutableMethod<?, ?> method,
            Class<?> target,
            @Nullable BeanDefinition<?> bean,
            Function<String, List<CallableMethod>> named) {
        AnnotationMembers.Found found = AnnotationMembers.in(
                method.getAnnotationMetadata(), bean == null ? null : bean.getAnnotationMetadata());
        if (found == null) {
            return Optional.empty();
        }
        BudgetedMethod itself;
        try {
            itself = budgeted(method, method.getDeclaringType(), target, found, named);
        } catch (InvalidTokenBudgetException wrongUse) {
            // Micronaut says that a bean declares what it inherits; whoever mends it looks for where it stands.
            itself = budgeted(method, method.getTargetMethod().getDeclaringClass(), target, found, named);
        }
        return Optional.of(found.ofType() ? itself.ofItsType() : itself);
    }

    private BudgetedMethod budgeted(
            ExecutableMethod<?, ?> method,
            Class<?> declaring,
            Class<?> target,
            AnnotationMembers.Found found,
            Function<String, List<CallableMethod>> named) {
        return BudgetedMethod.of(signature(method, declaring), target, found.values(), named, meter.zone());
    }

    private static MethodSignature signature(ExecutableMethod<?, ?> method, Class<?> declaring) {
        return new MethodSignature(
                declaring,
                method.getMethodName(),
                List.of(method.getArgumentTypes()),
                Arrays.asList(method.getArgumentNames()),
                method.getReturnType().getType(),
                false);
    }

    /** Those that Micronaut can call; private ones, which it cannot, by reflection. */
    private static List<CallableMethod> named(BeanDefinition<?> bean, String name) {
        List<CallableMethod> found = new ArrayList<>();
        bean.findPossibleMethods(name)
                .forEach(method -> found.add(new Executable(method, signature(method, method.getDeclaringType()))));
        return found.isEmpty() ? CallableMethod.of(bean.getBeanType(), name) : found;
    }

    private record Executable(ExecutableMethod<?, ?> method, MethodSignature signature) implements CallableMethod {

        @Override
        @SuppressWarnings("unchecked") // called on a bean of the definition that it is of
        public @Nullable Object call(@Nullable Object target, @Nullable Object[] arguments) {
            return ((ExecutableMethod<Object, Object>) method).invoke(target, arguments);
        }
    }
}
