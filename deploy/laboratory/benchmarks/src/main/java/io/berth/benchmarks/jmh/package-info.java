/** What the benchmarks of all cores measure with. */
package io.berth.benchmarks.jmh;
