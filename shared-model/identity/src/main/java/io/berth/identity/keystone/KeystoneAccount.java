package io.berth.identity.keystone;

import io.berth.identity.IdentityConfig;
import java.util.Optional;

/** A login for Keystone: this service's own, or that of an operator whose password the service passes on. */
public sealed interface KeystoneAccount {
    record Password(String user, String userDomain, String password, String project, String projectDomain)
            implements KeystoneAccount {
        @Override
        public String toString() {
            return "user " + user;
        }
    }

    record ApplicationCredential(String id, String secret) implements KeystoneAccount {
        @Override
        public String toString() {
            return "application credential " + id;
        }
    }

    /** Returns the service's own account; empty if the configuration has neither form completely. */
    static Optional<KeystoneAccount> of(IdentityConfig.Keystone config) {
        if (config.applicationCredentialId().isPresent()) {
            return config.applicationCredentialSecret()
                    .map(secret -> new ApplicationCredential(config.applicationCredentialId().get(), secret));
        }
        return config.username().flatMap(user -> config.password().map(password -> new Password(
                user, config.userDomainName(), password, config.projectName(), config.projectDomainName())));
    }
}
