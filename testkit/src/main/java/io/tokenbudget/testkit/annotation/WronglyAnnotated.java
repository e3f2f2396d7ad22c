package io.tokenbudget.testkit.annotation;

import io.tokenbudget.TokenBudget;

/** A class whose annotation refers to a parameter that is not there. */
public class WronglyAnnotated {
    /** Never gets so far. */
    @TokenBudget(agent = "wrong", tenant = "{order.tenantId}")
    public String ask(String question) {
        return question;
    }
}
