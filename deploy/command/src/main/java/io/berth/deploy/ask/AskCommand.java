package io.berth.deploy.ask;

import picocli.CommandLine.Command;

/** Groups the queries under the name that they had before each was a command of its own. */
@Command(
        name = "ask",
        hidden = true,
        synopsisSubcommandLabel = "QUESTION",
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand {}
