package io.berth.deploy.load.life;

/** What one virtual machine takes. */
public record VmSize(int vcpus, int memoryMb) {}
