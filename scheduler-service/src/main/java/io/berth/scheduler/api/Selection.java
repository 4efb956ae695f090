package io.berth.scheduler.api;

import io.berth.scheduler.host.HostState;

/** One host of an answer, selected or alternate, with the weight it had when it was ranked. */
record Selection(HostState host, double weight) {}
