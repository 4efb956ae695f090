package io.berth.scheduler.filter;

import jakarta.annotation.Nullable;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * An IPv4 or IPv6 network.
 *
 * @param address any address of the network; 4 or 16 bytes
 * @param prefixBits number of leading bits that all addresses of the network share
 */
record IpNetwork(byte[] address, int prefixBits) {
    private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    /** Index of the first of the two bytes 0xff that precede the IPv4 address in an IPv4-mapped IPv6 address. */
    private static final int MAPPED_MARK_AT = 10;

    /** Parses {@code address}, {@code address/bits} or {@code address/mask}; returns null for any other text. */
    static @Nullable IpNetwork parse(String text) {
        int slash = text.indexOf('/');
        byte[] address = address(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return null;
        }
        Integer bits =
                slash < 0 ? Integer.valueOf(address.length * 8) : prefixBits(text.substring(slash + 1), address.length);
        return bits == null ? null : new IpNetwork(address, bits);
    }

    /** Returns the bytes of a literal address; null for any other text. Never resolves names. */
    static @Nullable byte[] address(String text) {
        boolean v6 = IPV6.matcher(text).matches();
        if (!v6 && !IPV4.matcher(text).matches()) {
            return null;
        }
        try {
            InetAddress parsed = InetAddress.ofLiteral(text);
            return v6 && parsed instanceof Inet4Address ? mapped(parsed.getAddress()) : parsed.getAddress();
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    /** Returns whether the network contains the address; false for an address of the other IP version. */
    boolean contains(byte[] other) {
        if (other.length != address.length) {
            return false;
        }
        int wholeBytes = prefixBits / 8;
        int restBits = prefixBits % 8;
        int mask = restBits == 0 ? 0 : 0xff << (8 - restBits) & 0xff;
        return Arrays.equals(address, 0, wholeBytes, other, 0, wholeBytes)
                && (restBits == 0 || (address[wholeBytes] & mask) == (other[wholeBytes] & mask));
    }

    private static @Nullable Integer prefixBits(String text, int addressBytes) {
        if (PREFIX.matcher(text).matches()) {
            int bits = Integer.parseInt(text);
            return bits <= addressBytes * 8 ? bits : null;
        }
        byte[] mask = address(text);
        if (mask == null || mask.length != addressBytes) {
            return null;
        }
        var bits = new BigInteger(1, mask);
        int length = addressBytes * 8;
        int ones = bits.bitCount();
        boolean contiguous = ones == 0 || bits.getLowestSetBit() == length - ones;
        return contiguous ? ones : null;
    }

    /** Returns the 16 bytes of an IPv4-mapped IPv6 address, which Java parses to an IPv4 address. */
    private static byte[] mapped(byte[] v4) {
        byte[] v6 = new byte[16];
        v6[MAPPED_MARK_AT] = (byte) 0xff;
        v6[MAPPED_MARK_AT + 1] = (byte) 0xff;
        System.arraycopy(v4, 0, v6, MAPPED_MARK_AT + 2, v4.length);
        return v6;
    }
}
