package io.berth.deploy.constant;

import io.smallrye.config.ConfigMapping;

/** The configuration of {@link ConstantBodyEndpoint}. */
@ConfigMapping(prefix = "berth.constant-body")
interface ConstantBodyConfig {
    /** Returns the length of the body in bytes, 1 to {@value ConstantBodyEndpoint#BYTES_MAX}. Required. */
    int bytes();
}
