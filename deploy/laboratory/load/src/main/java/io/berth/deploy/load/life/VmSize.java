package io.berth.deploy.load.life;

/** The size of one virtual machine. */
public record VmSize(int vcpus, int memoryMb) {}
