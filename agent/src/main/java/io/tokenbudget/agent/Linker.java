package io.tokenbudget.agent;

import io.tokenbudget.core.Notices;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Answers the dispatcher: links advice calls and takes advice faults. Thread-safe, holds no lock. */
final class Linker {
    private final Bridges bridges;
    private final Notices.Once notices;

    Linker(Bridges bridges, Notices.Once notices) {
        this.bridges = bridges;
        this.notices = notices;
    }

    /** The method handle that the dispatcher calls. */
    MethodHandle handle() throws ReflectiveOperationException {
        MethodType type = MethodType.methodType(
                Object.class, MethodHandles.Lookup.class, String.class, MethodType.class, Object[].class);
        return MethodHandles.lookup().bind(this, "link", type);
    }

    /**
     * @param caller the woven class
     * @param name {@code enter}, {@code exit} or {@code fault}
     * @param type the call's type
     * @param arguments the advice class's name and the kind of call, or the fault
     */
    @SuppressWarnings("unused") // through handle()
    private @Nullable Object link(MethodHandles.Lookup caller, String name, MethodType type, Object[] arguments) {
        if (name.equals("fault")) {
            fault((Throwable) arguments[0]);
            return null;
        }
        ClassLoader application = caller.lookupClass().getClassLoader();
        if (application == null) {
            return null;
        }
        AdviceMethods advice = bridges.of(application).advice((String) arguments[0], (String) arguments[1]);
        MethodHandle method = name.equals("enter") ? advice.enter(type) : advice.exit(type);
        CallSite site = new ConstantCallSite(method.asType(type));
        return site;
    }

    private void fault(Throwable fault) {
        String where = where(fault);
        notices.warn(fault.getClass() + where, "a fault of the agent was kept from the application: " + fault + where);
    }

    /** A stack without room, or a heap, is no place to ask for a trace: the JDK initialises classes for it. */
    private static String where(Throwable fault) {
        if (fault instanceof VirtualMachineError) {
            return "";
        }
        StackTraceElement[] trace = fault.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }
}
