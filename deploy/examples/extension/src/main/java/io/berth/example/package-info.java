/**
 * An example of an operator's own filter and weigher. The filter rejects hosts whose power emits more CO2 than a flavor
 * allows; the weigher prefers hosts with low emissions. The grams of CO2 per kWh of a host are in the metadata of its
 * host aggregates, for example one aggregate for each power feed.
 */
package io.berth.example;
