package io.tokenbudget.examples.springbootstarter;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

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

    @PostMapping("/summary")
    String summary(@RequestBody String text) {
        return desk.summary(text);
    }
}
