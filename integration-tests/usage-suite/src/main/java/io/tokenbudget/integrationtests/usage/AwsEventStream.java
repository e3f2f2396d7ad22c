package io.tokenbudget.integrationtests.usage;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Amazon's binary event streams, made of lines {@code {"<event type>": {payload}}}.
 *
 * <p>Source: smithy.io, "Amazon Event Stream Specification".
 */
final class AwsEventStream {
    private static final byte STRING = 7;
    private static final int LENGTHS_AND_CHECKSUMS = 16;

    private AwsEventStream() {}

    static byte[] encode(List<String> lines) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try {
            for (String line : lines) {
                for (Map.Entry<String, Object> event : JSON.std.mapFrom(line).entrySet()) {
                    stream.write(message(event.getKey(), JSON.std.asBytes(event.getValue())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stream.toByteArray();
    }

    private static byte[] message(String type, byte[] payload) throws IOException {
        byte[] headers = headers(Map.of(
                ":message-type", "event",
                ":event-type", type,
                ":content-type", "application/json"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream message = new DataOutputStream(bytes);
        message.writeInt(LENGTHS_AND_CHECKSUMS + headers.length + payload.length);
        message.writeInt(headers.length);
        message.writeInt(checksum(bytes));
        message.write(headers);
        message.write(payload);
        message.writeInt(checksum(bytes));
        return bytes.toByteArray();
    }

    private static byte[] headers(Map<String, String> values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream headers = new DataOutputStream(bytes);
        for (Map.Entry<String, String> header : values.entrySet()) {
            byte[] name = header.getKey().getBytes(StandardCharsets.UTF_8);
            byte[] value = header.getValue().getBytes(StandardCharsets.UTF_8);
            headers.writeByte(name.length);
            headers.write(name);
            headers.writeByte(STRING);
            headers.writeShort(value.length);
            headers.write(value);
        }
        return bytes.toByteArray();
    }

    private static int checksum(ByteArrayOutputStream bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.toByteArray());
        return (int) crc.getValue();
    }
}
