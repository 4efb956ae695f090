package io.berth.deploy.load.life;

/** The size of a virtual machine; memory is in MB of 1,048,576 bytes. */
public record VmSize(int vcpus, int memoryMb) {}
