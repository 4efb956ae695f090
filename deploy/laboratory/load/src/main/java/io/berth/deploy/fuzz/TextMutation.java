package io.berth.deploy.fuzz;

import java.util.random.RandomGenerator;

/** Mutates methods, paths, queries and header values. The result may be invalid. */
record TextMutation(RandomGenerator random) {
    /**
     * The text that follows line breaks in mutations. A log line that begins with this text shows that clients can
     * forge log lines.
     */
    static final String FORGED_LOG_LINE = "FUZZFORGED";

    private static final String[] PIECES = {
        "%", "%Z1", "%00", "%ff", "%C0%80", "%ED%A0%80", "%E2%80%AE", "%0d%0a" + FORGED_LOG_LINE + "%20ERROR",
        "%0A" + FORGED_LOG_LINE, "%1b[2J",
        "%2e%2e%2f", "..%2f..%2fetc%2fpasswd", "%25%30%30", "+", ";a=b", "//", "%2F", "'%20OR%201=1--",
        "$%7Bjndi:ldap://x%7D",
        "NaN", "1e999", "-1", "0", "99999999999999999999", "2147483648", "1.5", ":", ",", ",,", "in:", "!in:", "!",
        "in:in:",
        "%F0%9F%98%80", "null", "[]", "{}", "&", "&&&", "=", "&=", "&limit", "&limit=1e9", "&resources=VCPU",
        "&resources=:",
        "&resources_=VCPU:1", "&resources%00=VCPU:1", "&required=", "&group_policy=x", "&same_subtree=_", "&in_tree=",
        "&microversion=9"
    };

    /** Returns a mutation of the text; rarely, this is the text itself. */
    String mutate(String text) {
        int index = text.isEmpty() ? 0 : random.nextInt(text.length() + 1);
        String piece = PIECES[random.nextInt(PIECES.length)];
        return switch (random.nextInt(8)) {
            case 0 -> text.substring(0, index);
            case 1 -> text.substring(0, index) + piece.repeat(1 + random.nextInt(20)) + text.substring(index);
            case 2 -> text + "&" + text;
            case 3 -> text.substring(0, index) + piece.repeat(60_000 / piece.length()).substring(0, 50_000)
                    + text.substring(index);
            case 4 -> text + "&required=CUSTOM_A".repeat(random.nextInt(3_000));
            case 5 -> text + "," + "VCPU:1,".repeat(random.nextInt(7_000));
            default -> text.substring(0, index) + piece
                    + text.substring(Math.min(text.length(), index + random.nextInt(5)));
        };
    }
}
