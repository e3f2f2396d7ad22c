package io.tokenbudget.testkit.annotation;

import io.tokenbudget.TokenBudget;

/** A tool of the planner, as an object of its own: not every adapter sees what an object calls on itself. */
public class Searcher {
    private final Model model;

    /** @param model is asked */
    public Searcher(Model model) {
        this.model = model;
    }

    /** Asks so often, which one run may do once: its ceiling is tighter than that of what calls it. */
    @TokenBudget(tool = "search", maxTokens = 150)
    public String search(int times) {
        return Model.ask(model, times);
    }

    /** Is a run of that name, but stays inside of the one that calls it. */
    @TokenBudget(runId = "{name}")
    public String renamed(String name, int times) {
        return Model.ask(model, times);
    }
}
