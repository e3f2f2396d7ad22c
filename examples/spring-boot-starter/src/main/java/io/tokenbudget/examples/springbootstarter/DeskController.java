package io.tokenbudget.examples.springbootstarter;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

@RestController
class DeskController {
    private final Desk desk;

    DeskController(Desk desk) {
        this.desk = desk;
    }

    @PostMapping("/ask")
    String ask(@RequestBody String question) {
        return desk.answer(question);
    }

    @PostMapping(path = "/tell", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> tell(@RequestBody String question) {
        return desk.tell(question);
    }

    @PostMapping("/summary")
    String summary(@RequestBody String text) {
        return desk.summary(text);
    }
}
