package io.berth.deploy.analysis;

import picocli.CommandLine.Command;

/**
 * The hidden command {@code berth ask QUERY}, the former spelling of {@code berth QUERY}, for example {@code berth ask
 * why}. Has the queries that once had this spelling; {@link WhatIfCommand} never had it.
 */
@Command(
        name = "ask",
        hidden = true,
        synopsisSubcommandLabel = "QUERY",
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand {}
