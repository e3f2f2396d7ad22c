package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Answer.Finish;
import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Scenario.Content;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The model behind the stub: the same question gets the same answer at the same cost. */
final class StubModel {
    private static final int LONG_ANSWER = 1000;
    private static final int LONGEST_ANSWER = 16_384;
    private static final int HIDDEN_REASONING = 64;
    private static final int MOST_QUOTED = 200;

    private StubModel() {}

    static Answer answer(ModelRequest request, Scenario scenario) {
        return wantsTools(request, scenario) ? toolCalls(request, scenario) : text(request, scenario);
    }

    private static boolean wantsTools(ModelRequest request, Scenario scenario) {
        return !request.tools().isEmpty() && request.toolRoundsDone() < scenario.toolRounds();
    }

    private static Answer toolCalls(ModelRequest request, Scenario scenario) {
        List<ToolCall> calls = new ArrayList<>();
        for (int i = 0; i < scenario.callsInRound(); i++) {
            Tool tool = request.tools().get(i % request.tools().size());
            String id = "call_" + (request.toolRoundsDone() + 1) + "_" + (i + 1);
            calls.add(new ToolCall(id, tool.name(), Http.write(ToolArguments.of(tool.schema()))));
        }
        long output = calls.stream().mapToLong(ToolCall::tokens).sum();
        return finished(request, scenario, Finish.TOOL_CALLS, List.of(), calls, output);
    }

    private static Answer text(ModelRequest request, Scenario scenario) {
        long bound = Math.min(LONGEST_ANSWER, request.maxOutput() == null ? LONGEST_ANSWER : request.maxOutput());
        long reasoning = reasoning(scenario, bound);
        List<String> whole = words(request, scenario.content());
        List<String> pieces = whole.subList(0, (int) Math.min(whole.size(), bound - reasoning));
        Finish finish = switch (scenario.content()) {
            case REFUSAL -> Finish.REFUSAL;
            case CONTENT_FILTER -> Finish.CONTENT_FILTER;
            case ENDLESS_ANSWER -> Finish.LENGTH;
            default -> pieces.size() < whole.size() ? Finish.LENGTH : Finish.STOP;
        };
        return finished(request, scenario, finish, pieces, List.of(), pieces.size() + reasoning);
    }

    private static long reasoning(Scenario scenario, long bound) {
        return scenario.usage() == Scenario.UsageReport.WITH_REASONING ? Math.min(HIDDEN_REASONING, bound) : 0;
    }

    private static List<String> words(ModelRequest request, Content content) {
        return switch (content) {
            case LONG_ANSWER -> Collections.nCopies(LONG_ANSWER, " word");
            case ENDLESS_ANSWER -> Collections.nCopies(LONGEST_ANSWER, " word");
            case REFUSAL -> TextPieces.of("I am sorry, I cannot help with that.");
            default -> TextPieces.of(sentence(request));
        };
    }

    private static String sentence(ModelRequest request) {
        String result = request.toolResult();
        return result == null
                ? "You asked: " + shortened(request.question()) + " This is the answer of the stand-in provider."
                : "The tool says: " + shortened(result) + " That is the whole answer.";
    }

    private static String shortened(String text) {
        return text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...";
    }

    private static Answer finished(
            ModelRequest request,
            Scenario scenario,
            Finish finish,
            List<String> pieces,
            List<ToolCall> calls,
            long outputOfOne) {
        long cached = scenario.usage() == Scenario.UsageReport.WITH_CACHED ? request.promptTokens() / 2 : 0;
        long reasoning = outputOfOne
                - pieces.size()
                - calls.stream().mapToLong(ToolCall::tokens).sum();
        TokenCount cost = new TokenCount(
                request.promptTokens(), cached, outputOfOne * request.answers(), reasoning * request.answers());
        TokenCount reported = switch (scenario.usage()) {
            case NONE -> null;
            case ZERO -> TokenCount.ZERO;
            default -> cost;
        };
        int answers = scenario.content() == Content.NO_CHOICES ? 0 : request.answers();
        return new Answer(finish, pieces, calls, answers, cost, reported);
    }
}
