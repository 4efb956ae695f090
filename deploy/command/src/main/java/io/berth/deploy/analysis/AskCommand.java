package io.berth.deploy.analysis;

import picocli.CommandLine.Command;

/**
 * The hidden command {@code berth ask QUERY}, the former spelling of {@code berth QUERY}: {@code berth ask why}. Still
 * works for the queries that had this spelling, which {@link WhatIfCommand} never had.
 */
@Command(
        name = "ask",
        hidden = true,
        synopsisSubcommandLabel = "QUERY",
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand {}
