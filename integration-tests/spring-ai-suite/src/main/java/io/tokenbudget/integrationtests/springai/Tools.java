package io.tokenbudget.integrationtests.springai;

import java.util.function.Supplier;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;

/** The tool of all cells. */
final class Tools {
    private Tools() {}

    /** Its argument. */
    public record Place(String city) {}

    static ToolCallback weather(Supplier<String> answer, boolean returnDirect) {
        return FunctionToolCallback.builder("weather", (Place place) -> answer.get())
                .description("Tells the weather of a city")
                .inputType(Place.class)
                .toolMetadata(ToolMetadata.builder().returnDirect(returnDirect).build())
                .build();
    }
}
