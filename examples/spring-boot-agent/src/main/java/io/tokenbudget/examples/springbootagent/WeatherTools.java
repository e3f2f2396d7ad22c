package io.tokenbudget.examples.springbootagent;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

@Component
class WeatherTools {

    @Tool(description = "Tells today's weather in a city")
    String weather(@ToolParam(description = "name of the city") String city) {
        return "It is sunny in " + city + ", 24 degrees.";
    }
}
