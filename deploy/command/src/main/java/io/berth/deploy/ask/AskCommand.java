package io.berth.deploy.ask;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Groups the commands that query the scheduler. */
@Command(
        name = "ask",
        header = "ask the scheduler: why, why-not, how-many, drain, shadow",
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisSubcommandLabel = "QUESTION",
        description = {"", "Asks the scheduler. No question claims or changes anything.", ""},
        footer = {
            "",
            "Exit status: 0 answered, and the answer is yes (it was placed, it fits, all have a place, nothing differs); 1 it"
                    + " failed; 2 the arguments make no sense; 3 answered, and the answer is no; 4 only answered in part, since"
                    + " the time was over."
        },
        subcommands = {WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class,
            ShadowCommand.class})
public final class AskCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(),
                "a question is missing: why, why-not, how-many, drain or shadow");
    }
}
