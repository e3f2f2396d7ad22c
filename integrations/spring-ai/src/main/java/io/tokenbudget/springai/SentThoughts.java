package io.tokenbudget.springai;

import io.tokenbudget.core.estimates.RequestTokens;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;

/**
 * What Spring AI's clients send back of a model's earlier thoughts. Each keeps them in a place of its own, of which the others
 * send nothing, so a message says by what it has what is sent of it. As of 1.0.3, 1.1.2 and 2.0.1:
 *
 * <pre>
 *   Anthropic 2.0 ......... metadata anthropicThinkingContents: thinking and signature, or redacted data
 *   Bedrock 2.0 ........... the message's reasoning contents: text and signature, or redacted content
 *   Google GenAI 1.1, 2.0 . metadata thoughtSignatures: one with each call of a tool
 *   OpenAI 2.0 ............ metadata reasoningContent; what its tool calls carry besides, as JSON
 *   DeepSeek 2.0 .......... the message's reasoning content
 *   all others ............ nothing: Ollama's "thinking" and the "signature" of Anthropic 1.x stay here
 * </pre>
 *
 * <p>A signature is taken for the thoughts in cipher, which has as many bytes as they had: four of them for a token. Where there
 * are both, the larger counts: the vendors show a summary of what they bill.
 */
final class SentThoughts {
    private static final int BYTES_A_TOKEN = 4;

    /** Three bytes of a cipher are four characters of base 64. */
    private static final double BYTES_A_CHARACTER = 0.75;

    private static final String OF_ANTHROPIC = "anthropicThinkingContents";
    private static final String OF_GOOGLE = "thoughtSignatures";
    private static final String OF_OPENAI = "reasoningContent";
    private static final String CALLS_OF_OPENAI = "openai.tool_calls.additional_properties";

    private static final Getter OF_BEDROCK = Getter.alsoHidden("getReasoningContents");
    private static final Getter OF_DEEPSEEK = new Getter("getReasoningContent");

    private static final Getter TEXT = Getter.alsoHidden("thinking", "getText");
    private static final Getter SIGNATURE = Getter.alsoHidden("signature", "getSignature");
    private static final Getter REDACTED = Getter.alsoHidden("redactedData", "getRedactedContent");

    private SentThoughts() {}

    /** Tokens of the thoughts that are sent with {@code message}. */
    static long tokens(RequestTokens tokens, AssistantMessage message) {
        Map<String, Object> metadata = message.getMetadata() == null ? Map.of() : message.getMetadata();
        int calls = message.getToolCalls() == null ? 0 : message.getToolCalls().size();
        long sum = signatures(metadata.get(OF_GOOGLE), calls);
        if (!CallOptions.MODEL_MERGES) {
            sum += blocks(tokens, metadata.get(OF_ANTHROPIC))
                    + blocks(tokens, OF_BEDROCK.get(message))
                    + text(tokens, metadata.get(OF_OPENAI))
                    + text(tokens, OF_DEEPSEEK.get(message));
            if (calls > 0 && metadata.get(CALLS_OF_OPENAI) instanceof Map<?, ?> beside) {
                for (Object json : beside.values()) {
                    sum += text(tokens, json);
                }
            }
        }
        return sum;
    }

    private static long signatures(@Nullable Object signatures, int calls) {
        long sum = 0;
        if (signatures instanceof Collection<?> all) {
            int left = calls;
            for (Object signature : all) {
                sum += left-- > 0 ? cipher(signature) : 0;
            }
        }
        return sum;
    }

    private static long blocks(RequestTokens tokens, @Nullable Object blocks) {
        long sum = 0;
        if (blocks instanceof Collection<?> all) {
            for (Object block : all) {
                sum += Math.max(text(tokens, TEXT.get(block)), cipher(SIGNATURE.get(block)))
                        + cipher(REDACTED.get(block));
            }
        }
        return sum;
    }

    private static long text(RequestTokens tokens, @Nullable Object text) {
        return text instanceof String known ? tokens.text(known) : 0;
    }

    private static long cipher(@Nullable Object cipher) {
        if (cipher instanceof byte[] bytes) {
            return bytes.length / BYTES_A_TOKEN;
        }
        return cipher instanceof String base64 ? (long) (base64.length() * BYTES_A_CHARACTER / BYTES_A_TOKEN) : 0;
    }
}
