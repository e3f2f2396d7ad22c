package io.tokenbudget.core;

import io.tokenbudget.core.config.Prices;
import io.tokenbudget.core.spi.BudgetRef;
import io.tokenbudget.core.spi.Price;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What calls cost, by model. Thread-safe: the configuration is immutable, and what is remembered of it is a concurrent map of
 * at most 500 models, whose names may come from whoever calls the application.
 */
final class PriceList {
    private static final int MOST_MODELS = 500;

    private final Prices prices;
    private final Map<String, Price> known = new ConcurrentHashMap<>();

    PriceList(Prices prices) {
        this.prices = prices;
    }

    /**
     * What one call costs.
     *
     * @param budgets of the call: where nothing has a price, only a limit in money wants to know
     * @param images how many pictures it makes
     * @return null if it costs nothing
     */
    @Nullable
    Price of(@Nullable String model, List<BudgetRef> budgets, int images) {
        if (prices.models().isEmpty() && !anyInMoney(budgets)) {
            return null;
        }
        Price price = of(model);
        return price == null ? null : price.ofImages(images);
    }

    private @Nullable Price of(@Nullable String model) {
        Price remembered = model == null ? null : known.get(model);
        if (remembered != null) {
            return remembered;
        }
        Price price = prices.of(model);
        if (price != null && model != null && known.size() < MOST_MODELS) {
            known.put(model, price);
        }
        return price;
    }

    private static boolean anyInMoney(List<BudgetRef> budgets) {
        for (int i = 0; i < budgets.size(); i++) {
            if (budgets.get(i).countsMoney()) {
                return true;
            }
        }
        return false;
    }
}
