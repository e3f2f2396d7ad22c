package io.tokenbudget.integrationtests.springboot;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;

/** A service on Spring MVC that answers from other threads than the request's. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableAsync
@Import({Later.Asking.class, Later.Desk.class})
class Later {
    /** How often the application's own decorator has run. */
    static final AtomicInteger DECORATED = new AtomicInteger();

    @Bean
    TaskDecorator own() {
        return task -> () -> {
            DECORATED.incrementAndGet();
            task.run();
        };
    }

    static class Desk {
        private final ChatClient client;

        Desk(ChatClient.Builder builder) {
            this.client = builder.build();
        }

        String ask() {
            return Objects.requireNonNull(
                    client.prompt("What is on offer?").call().content());
        }

        @Async
        public CompletableFuture<String> askLater() {
            return CompletableFuture.completedFuture(ask());
        }
    }

    @RestController
    static class Asking {
        private final Desk desk;

        Asking(Desk desk) {
            this.desk = desk;
        }

        @GetMapping("/callable")
        Callable<String> callable() {
            return desk::ask;
        }

        @GetMapping("/elsewhere")
        WebAsyncTask<String> elsewhere() {
            return new WebAsyncTask<>(
                    null, new TaskExecutorAdapter(task -> new Thread(task, "of the application").start()), desk::ask);
        }

        @GetMapping("/async")
        CompletableFuture<String> async() {
            return desk.askLater();
        }

        @GetMapping("/deferred")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture<Void> told = desk.askLater().thenAccept(result::setResult);
            result.onTimeout(() -> told.cancel(true));
            return result;
        }

        @GetMapping("/callable-fails")
        Callable<String> callableFails() {
            return () -> {
                throw new Unexplained();
            };
        }

        @GetMapping("/deferred-fails")
        DeferredResult<String> deferredFails() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setErrorResult(new Unexplained()), "of the application").start();
            return result;
        }

        @GetMapping("/deferred-too-late")
        DeferredResult<String> deferredTooLate() {
            DeferredResult<String> result = new DeferredResult<>(1L);
            result.onTimeout(() -> result.setResult(desk.ask()));
            return result;
        }

        /** What the servlet container alone knows of. */
        @GetMapping("/container")
        void container(HttpServletRequest request) {
            AsyncContext started = request.startAsync();
            started.start(() -> {
                try {
                    started.getResponse().getWriter().write(desk.ask());
                } catch (IOException gone) {
                    throw new UncheckedIOException(gone);
                } finally {
                    started.complete();
                }
            });
        }

        @GetMapping("/error-page")
        void errorPage(HttpServletResponse response) throws IOException {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }

        @ExceptionHandler
        String explain(Unexplained unexplained) {
            return unexplained + ": " + desk.ask();
        }

        /** Before Spring Boot's own page. */
        @GetMapping(path = "/error", headers = "X-Tenant-Id")
        String error() {
            return desk.ask();
        }
    }

    static class Unexplained extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
