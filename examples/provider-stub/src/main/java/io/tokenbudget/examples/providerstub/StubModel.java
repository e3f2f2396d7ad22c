package io.tokenbudget.examples.providerstub;

import io.tokenbudget.examples.providerstub.Answer.Finish;
import io.tokenbudget.examples.providerstub.Answer.ToolCall;
import io.tokenbudget.examples.providerstub.ModelRequest.Tool;
import io.tokenbudget.examples.providerstub.Scenario.Content;
import io.tokenbudget.examples.providerstub.Scenario.UsageReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The model behind the stub: the same question gets the same answer at the same cost. */
final class StubModel {
    private static final int LONG_ANSWER = 1000;
    private static final int LONGEST_WHOLE_ANSWER = 16_384;
    private static final int THOUGHTS = 64;
    private static final String THOUGHT = " thought";
    private static final int MOST_QUOTED = 200;

    private StubModel() {}

    static Answer answer(ModelRequest request, Scenario scenario) {
        if (request.otherOutput() != null) {
            Finish finish = scenario.content() == Content.CONTENT_FILTER ? Finish.CONTENT_FILTER : Finish.STOP;
            return finished(request, scenario, finish, List.of(), List.of(), List.of());
        }
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
            calls.add(new ToolCall(id, tool.name(), ToolArguments.of(tool.schema())));
        }
        return finished(request, scenario, Finish.TOOL_CALLS, List.of(), List.of(), calls);
    }

    private static Answer text(ModelRequest request, Scenario scenario) {
        int longest = request.stream() ? Integer.MAX_VALUE : LONGEST_WHOLE_ANSWER;
        long bound = request.maxOutput() == null ? longest : Math.min(longest, request.maxOutput());
        int thinking = scenario.usage() == UsageReport.WITH_REASONING ? THOUGHTS : 0;
        List<String> thoughts = Collections.nCopies((int) Math.min(thinking, bound), THOUGHT);
        List<String> whole = words(request, scenario.content(), longest);
        List<String> pieces = whole.subList(0, (int) Math.min(whole.size(), bound - thoughts.size()));
        Finish finish = switch (scenario.content()) {
            case REFUSAL -> Finish.REFUSAL;
            case CONTENT_FILTER -> Finish.CONTENT_FILTER;
            case ENDLESS_ANSWER -> Finish.LENGTH;
            default -> pieces.size() < whole.size() ? Finish.LENGTH : Finish.STOP;
        };
        return finished(request, scenario, finish, thoughts, pieces, List.of());
    }

    private static List<String> words(ModelRequest request, Content content, int longest) {
        return switch (content) {
            case LONG_ANSWER -> Collections.nCopies(LONG_ANSWER, " word");
            case ENDLESS_ANSWER -> Collections.nCopies(longest, " word");
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
            List<String> thoughts,
            List<String> pieces,
            List<ToolCall> calls) {
        Long other = request.otherOutput();
        long spoken = other == null ? pieces.size() + tokens(calls) : other;
        TokenCount cost = cost(request, scenario.usage(), thoughts.size(), spoken);
        TokenCount reported = switch (scenario.usage()) {
            case NONE -> null;
            case ZERO -> TokenCount.ZERO;
            default -> cost;
        };
        int answers = scenario.content() == Content.NO_CHOICES ? 0 : request.answers();
        return new Answer(finish, thoughts, pieces, calls, answers, cost, reported);
    }

    private static TokenCount cost(ModelRequest request, UsageReport usage, long thoughts, long spoken) {
        long input = request.promptTokens();
        long cached = switch (usage) {
            case WITH_CACHED -> input / 2;
            case WITH_CACHE_WRITE -> input / 4;
            default -> 0;
        };
        long written = usage == UsageReport.WITH_CACHE_WRITE ? input / 2 : 0;
        long output = (thoughts + spoken) * request.answers();
        return new TokenCount(input, cached, written, output, thoughts * request.answers());
    }

    private static long tokens(List<ToolCall> calls) {
        return calls.stream().mapToLong(ToolCall::tokens).sum();
    }
}
