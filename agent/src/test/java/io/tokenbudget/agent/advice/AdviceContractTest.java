package io.tokenbudget.agent.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenbudget.agent.ClassFiles;
import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads the class files, so that an advice that somebody adds is held to the contract without being listed anywhere. */
@DisplayName("C9 never in the way: what every advice must promise")
class AdviceContractTest {
    private static final TypeDescription THROWABLE = TypeDescription.ForLoadedType.of(Throwable.class);

    private record Ways(MethodDescription enter, MethodDescription exit) {}

    private static List<TypeDescription> advices() throws Exception {
        TypePool pool = TypePool.Default.of(ClassFileLocator.ForClassLoader.of(UnmeteredAdvice.class.getClassLoader()));
        List<TypeDescription> advices = new ArrayList<>();
        for (byte[] classFile : ClassFiles.inPackageOf(UnmeteredAdvice.class)) {
            TypeDescription type = pool.describe(
                            new ClassReader(classFile).getClassName().replace('/', '.'))
                    .resolve();
            if (!type.getSimpleName().equals("package-info")) {
                advices.add(type);
            }
        }
        assertThat(advices).hasSizeGreaterThanOrEqualTo(4);
        return advices;
    }

    private static Ways methods(TypeDescription advice) {
        List<String> names = new ArrayList<>();
        for (MethodDescription method : advice.getDeclaredMethods()) {
            if (method.isPublic()) {
                names.add(method.getName());
                assertThat(method.isStatic()).as(method.toString()).isTrue();
            }
        }
        assertThat(names).as(advice.getName()).containsExactlyInAnyOrder("enter", "exit");
        return new Ways(method(advice, "enter"), method(advice, "exit"));
    }

    private static MethodDescription method(TypeDescription advice, String name) {
        return advice.getDeclaredMethods().stream()
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyAdviceDelegatesAndSuppressesOnTheWayIn() throws Exception {
        for (TypeDescription advice : advices()) {
            AnnotationDescription enter =
                    methods(advice).enter().getDeclaredAnnotations().ofType(Advice.OnMethodEnter.class);
            assertThat(enter).as(advice.getName()).isNotNull();
            assertThat(value(enter, Advice.OnMethodEnter.class, "inline")).isEqualTo(false);
            assertThat(value(enter, Advice.OnMethodEnter.class, "suppress")).isEqualTo(THROWABLE);
        }
    }

    @Test
    void everyAdviceDelegatesAndSuppressesOnEveryWayOut() throws Exception {
        for (TypeDescription advice : advices()) {
            AnnotationDescription exit =
                    methods(advice).exit().getDeclaredAnnotations().ofType(Advice.OnMethodExit.class);
            assertThat(exit).as(advice.getName()).isNotNull();
            assertThat(value(exit, Advice.OnMethodExit.class, "inline")).isEqualTo(false);
            assertThat(value(exit, Advice.OnMethodExit.class, "suppress")).isEqualTo(THROWABLE);
            assertThat(value(exit, Advice.OnMethodExit.class, "onThrowable")).isEqualTo(THROWABLE);
        }
    }

    @Test
    void anAdviceThatMayRefuseSkipsTheBodyAndThrowsOnTheWayOut() throws Exception {
        for (TypeDescription advice : advices()) {
            MethodDescription exit = methods(advice).exit();
            boolean assigns = exit.getDeclaredAnnotations().ofType(Advice.AssignReturned.ToThrown.class) != null;
            TypeDescription returned = exit.getReturnType().asErasure();
            boolean both = exit.getDeclaredAnnotations().ofType(Advice.AssignReturned.ToReturned.class) != null;
            assertThat(both ? returned.represents(Object[].class) : returned.represents(Throwable.class))
                    .as(advice.getName()
                            + " returns a Throwable, or one beside what is returned, exactly if it is assigned")
                    .isEqualTo(assigns);
        }
    }

    @Test
    void theWayOutTakesWhatTheWayInReturnedFirst() throws Exception {
        for (TypeDescription advice : advices()) {
            Ways methods = methods(advice);
            TypeDescription entered = methods.enter().getReturnType().asErasure();
            assertThat(entered.represents(Object.class) || entered.represents(Object[].class))
                    .as(advice.getName() + " enters with a type of the JDK, which every loader sees")
                    .isTrue();
            assertThat(methods.exit()
                            .getParameters()
                            .get(0)
                            .getDeclaredAnnotations()
                            .ofType(Advice.Enter.class))
                    .as(advice.getName())
                    .isNotNull();
        }
    }

    private static Object value(AnnotationDescription annotation, Class<?> type, String property) {
        MethodDescription.InDefinedShape accessor = TypeDescription.ForLoadedType.of(type).getDeclaredMethods().stream()
                .filter(method -> method.getName().equals(property))
                .findFirst()
                .orElseThrow();
        return annotation.getValue(accessor).resolve();
    }
}
