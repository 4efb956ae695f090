package io.berth.scheduler.change;

/** One change of the cloud. */
interface Change {
    /**
     * Throws ApiFault with the path for who is not there (404), and what could not be or contradicts a change before (400).
     */
    void make(Cloud cloud);
}
