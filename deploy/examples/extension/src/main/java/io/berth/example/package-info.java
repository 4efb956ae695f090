/**
 * An operator's own filter and weigher: instances that may only run on low-carbon power, and hosts ranked by the carbon
 * of theirs. A host's figure, grams of CO2 per kWh, is metadata of a host aggregate, say one per power feed.
 */
package io.berth.example;
