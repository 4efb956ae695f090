package io.berth.deploy.constant;

import io.smallrye.config.ConfigMapping;

/** Configures the response. */
@ConfigMapping(prefix = "berth.constant-body")
interface ConstantBodyConfig {
    /** Length of the body, 1 to {@value ConstantBodyEndpoint#BYTES_MAX}; to be given. */
    int bytes();
}
