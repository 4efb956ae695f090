package io.berth.deploy.analysis;

import picocli.CommandLine.Command;

/** The hidden command {@code berth ask QUERY}: the former spelling of {@code berth QUERY}, as in {@code berth why}. */
@Command(
        name = "ask",
        hidden = true,
        synopsisSubcommandLabel = "QUERY",
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand {}
