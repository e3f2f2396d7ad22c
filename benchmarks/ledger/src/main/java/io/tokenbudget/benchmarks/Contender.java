package io.tokenbudget.benchmarks;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.tokenbudget.core.DefaultTokenLimiter;
import io.tokenbudget.core.TokenLimiters;
import io.tokenbudget.core.config.BudgetRow;
import io.tokenbudget.core.config.Settings;
import io.tokenbudget.core.spi.Limit;
import io.tokenbudget.core.spi.LimitUnit;
import io.tokenbudget.core.spi.Window;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Takes 100 tokens from an agent's and its tenant's budget, both or neither, and gives 40 of them back. */
public interface Contender {
    /** Never reached, and small enough for everybody's arithmetic. */
    long LIMIT = 1L << 50;

    /** Tokens reserved. */
    long ESTIMATE = 100;

    /** Tokens really used. */
    long ACTUAL = 60;

    /** One pair. */
    void reserveAndSettle(String agent, String tenant);

    /** Who takes part. */
    enum Kind {
        ours {
            @Override
            Contender create() {
                DefaultTokenLimiter limiter =
                        TokenLimiters.builder().settings(settings()).build();
                return (agent, tenant) ->
                        limiter.settle(limiter.reserve(agent, tenant, ESTIMATE).id(), ACTUAL);
            }
        },
        bucket4jSynchronized {
            @Override
            Contender create() {
                return buckets(SynchronizationStrategy.SYNCHRONIZED);
            }
        },
        bucket4jLockFree {
            @Override
            Contender create() {
                return buckets(SynchronizationStrategy.LOCK_FREE);
            }
        },
        floor {
            @Override
            Contender create() {
                return new Floor();
            }
        };

        abstract Contender create();
    }

    private static Settings settings() {
        List<Limit> limits = List.of(
                new Limit(LIMIT, LimitUnit.TOKENS, new Window.Rolling(Duration.ofHours(1)), LIMIT + " tokens per 1h"));
        Settings defaults = Settings.DEFAULT;
        return new Settings(
                defaults.mode(),
                defaults.hold(),
                defaults.remember(),
                100_000,
                defaults.zone(),
                defaults.overrun(),
                defaults.identity(),
                List.of(
                        new BudgetRow(List.of("agent"), Collections.singletonList(null), limits, "agent"),
                        new BudgetRow(List.of("tenant"), Collections.singletonList(null), limits, "tenant")),
                defaults.estimates(),
                defaults.plans(),
                defaults.prices(),
                defaults.streaming(),
                defaults.onFailure(),
                defaults.http(),
                0);
    }

    private static Contender buckets(SynchronizationStrategy strategy) {
        Map<String, Bucket> agents = new ConcurrentHashMap<>();
        Map<String, Bucket> tenants = new ConcurrentHashMap<>();
        return (agent, tenant) -> {
            Bucket first = agents.computeIfAbsent(agent, name -> bucket(strategy));
            Bucket second = tenants.computeIfAbsent(tenant, name -> bucket(strategy));
            if (!first.tryConsume(ESTIMATE)) {
                return;
            }
            if (!second.tryConsume(ESTIMATE)) {
                first.addTokens(ESTIMATE);
                return;
            }
            first.addTokens(ESTIMATE - ACTUAL);
            second.addTokens(ESTIMATE - ACTUAL);
        };
    }

    private static Bucket bucket(SynchronizationStrategy strategy) {
        // It refills at most a token a nanosecond, which is still more than is ever taken here.
        return Bucket.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(1L << 40)
                        .refillGreedy(900_000_000, Duration.ofSeconds(1))
                        .build())
                .withSynchronizationStrategy(strategy)
                .build();
    }

    /** One lock, two hash maps, one object: what nobody who keeps reservations can go below. */
    final class Floor implements Contender {
        private final Map<String, long[]> agents = new HashMap<>();
        private final Map<String, long[]> tenants = new HashMap<>();

        @SuppressWarnings("ArrayRecordComponent") // what is measured is the least that can be done
        private record Held(long[] agent, long[] tenant, long amount) {}

        @Override
        public void reserveAndSettle(String agent, String tenant) {
            settle(reserve(agent, tenant));
        }

        private synchronized Held reserve(String agent, String tenant) {
            long[] first = agents.computeIfAbsent(agent, name -> new long[2]);
            long[] second = tenants.computeIfAbsent(tenant, name -> new long[2]);
            if (first[0] + first[1] + ESTIMATE > LIMIT || second[0] + second[1] + ESTIMATE > LIMIT) {
                throw new IllegalStateException("the limit is never reached");
            }
            first[1] += ESTIMATE;
            second[1] += ESTIMATE;
            return new Held(first, second, ESTIMATE);
        }

        private synchronized void settle(Held held) {
            held.agent[1] -= held.amount;
            held.tenant[1] -= held.amount;
            held.agent[0] += ACTUAL;
            held.tenant[0] += ACTUAL;
        }
    }
}
