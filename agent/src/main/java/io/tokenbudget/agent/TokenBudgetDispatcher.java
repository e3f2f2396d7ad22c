package io.tokenbudget.agent;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * What woven code refers to, and the only thing it refers to. {@link Dispatcher} defines a copy of this class in
 * {@code java.lang}, which every class loader can see.
 *
 * <pre>
 *   application loader            boot loader                   agent loader
 *   OpenAiChatModel.doChat  ──▶  java.lang.TokenBudgetDispatcher ──▶  Linker
 *        ▲  invokedynamic            bootstrap(..)                       │ finds or makes
 *        └───────────── method handle of an advice in a BridgeLoader ◀───┘
 * </pre>
 *
 * <p>Uses nothing but the JDK. Never throws: a call that cannot be linked does nothing, and a fault of an advice goes to
 * {@link #fault}. Thread-safe through the one volatile field.
 */
public final class TokenBudgetDispatcher {
    /**
     * {@code Object link(Lookup caller, String name, MethodType type, Object[] arguments)}, or null while no agent is
     * active. Faults come through it as well, with name {@code fault} and the {@code Throwable} as the only argument.
     */
    public static volatile @Nullable MethodHandle target;

    private TokenBudgetDispatcher() {}

    /** Links one advice call, for as long as its class lives. */
    public static CallSite bootstrap(MethodHandles.Lookup caller, String name, MethodType type, Object... arguments) {
        MethodHandle linker = target;
        if (linker != null) {
            try {
                Object site = linker.invoke(caller, name, type, arguments);
                if (site instanceof CallSite linked) {
                    return linked;
                }
            } catch (Throwable fault) {
                fault(fault);
            }
        }
        return new ConstantCallSite(MethodHandles.empty(type));
    }

    /** Takes what an advice threw. */
    public static void fault(Throwable fault) {
        MethodHandle linker = target;
        if (linker != null) {
            try {
                Object unused = linker.invoke(
                        MethodHandles.publicLookup(), "fault", MethodType.methodType(void.class), new Object[] {fault});
            } catch (Throwable another) {
                // Nobody is left to tell, and the application must not know.
            }
        }
    }
}
