package io.berth.deploy.ask;

import picocli.CommandLine.Command;

/** The hidden command {@code berth ask QUESTION}: the former spelling of {@code berth QUESTION}. */
@Command(
        name = "ask",
        hidden = true,
        synopsisSubcommandLabel = "QUESTION",
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand {}
