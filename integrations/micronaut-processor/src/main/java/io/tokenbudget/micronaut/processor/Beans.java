package io.tokenbudget.micronaut.processor;

import io.micronaut.aop.Around;
import io.micronaut.aop.InterceptorBinding;
import io.micronaut.aop.Introduction;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.ConfigurationReader;
import io.micronaut.context.annotation.DefaultScope;
import io.micronaut.context.annotation.Executable;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationUtil;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MemberElement;

/** What is a bean without us, as Micronaut decides it in its {@code BeanDefinitionCreatorFactory}. Stateless. */
final class Beans {
    private Beans() {}

    static boolean isFactory(ClassElement type) {
        return !type.isAbstract() && type.hasStereotype(Factory.class);
    }

    /** Whether {@code member} of a factory makes one. */
    static boolean isMade(MemberElement member) {
        return member.hasDeclaredStereotype(Bean.class.getName(), AnnotationUtil.SCOPE);
    }

    static boolean isBean(ClassElement type) {
        if (hasIntroduction(type) || type.hasStereotype(ConfigurationReader.class)) {
            return true;
        }
        if (type.isInterface()) {
            return false;
        }
        return type.hasDeclaredStereotype(Bean.class)
                || type.hasStereotype(AnnotationUtil.SCOPE)
                || type.hasStereotype(DefaultScope.class)
                || (!type.isAbstract() && isMadeOne(type));
    }

    private static boolean hasIntroduction(ClassElement type) {
        return type.hasStereotype(Introduction.class) || hasBinding(type, "INTRODUCTION");
    }

    private static boolean hasBinding(ClassElement type, String kind) {
        return type.getAnnotationValuesByType(InterceptorBinding.class).stream()
                .anyMatch(
                        binding -> binding.stringValue("kind").orElse("AROUND").equals(kind));
    }

    private static boolean isMadeOne(ClassElement type) {
        return type.hasStereotype(Factory.class)
                || type.hasStereotype(Executable.class)
                || type.hasStereotype(AnnotationUtil.QUALIFIER)
                || type.hasStereotype(Around.class)
                || hasBinding(type, "AROUND")
                || type.getPrimaryConstructor()
                        .filter(constructor -> constructor.hasStereotype(AnnotationUtil.INJECT))
                        .isPresent()
                || type.getEnclosedElement(ElementQuery.ALL_METHODS
                                .onlyConcrete()
                                .onlyDeclared()
                                .annotated(metadata -> metadata.hasDeclaredAnnotation(AnnotationUtil.INJECT)))
                        .isPresent()
                || type.getEnclosedElement(
                                ElementQuery.ALL_FIELDS.onlyDeclared().annotated(Beans::isInjected))
                        .isPresent();
    }

    private static boolean isInjected(AnnotationMetadata field) {
        return field.hasStereotype(AnnotationUtil.INJECT)
                || field.hasStereotype(Value.class)
                || field.hasStereotype(Property.class);
    }
}
