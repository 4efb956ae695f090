package io.berth.placement.http;

import java.util.Locale;

/** Reads Accept headers as far as the API offers a choice: JSON, and HTML for errors. */
final class Accept {
    private Accept() {}

    /** 0 to 1: how much the header wants this media type; the most specific range counts. */
    static double quality(String header, String type, String subtype) {
        int bestRank = -1;
        double best = 0;
        for (String range : header.split(",")) {
            String[] parts = range.split(";");
            String media = parts[0].strip().toLowerCase(Locale.ROOT);
            int rank = media.equals(type + "/" + subtype) ? 2
                    : media.equals(type + "/*") ? 1
                    : media.equals("*/*") ? 0
                    : -1;
            if (rank > bestRank) {
                bestRank = rank;
                best = q(parts);
            }
        }
        return best;
    }

    private static double q(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
            if (parameter.startsWith("q=")) {
                try {
                    return Math.clamp(Double.parseDouble(parameter.substring(2)), 0, 1);
                } catch (NumberFormatException e) {
                    return 1;
                }
            }
        }
        return 1;
    }
}
