/**
 * An example of an operator's own filter and weigher. The filter rejects hosts whose power emits more CO2 than a flavor
 * allows; the weigher prefers hosts with low emissions. A host's grams of CO2 per kWh are metadata of a host aggregate,
 * for example one aggregate per power feed.
 */
package io.berth.example;
