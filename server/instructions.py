"""What a host's model is told of the server before it sees any tool."""

from typing import Final

INSTRUCTIONS: Final = (
    "EchoPath repeats desktop (GUI) work that was done once. Before driving a GUI by hand look for a "
    "memory: a tool named after the task, or find_memory(goal), then run_memory(memory, inputs). It ends "
    "`verified`, or refuses before a wrong click and says `cause` and `next`. If no memory fits: "
    "start_run(goal, evaluator, open), observe and act in turns, finish_run, consolidate_run, "
    "promote_memory; next time it is one call.\n"
    "- A healthy replay needs no picture and no second call. `running`: call wait_replay until it ends.\n"
    "- Refused or stopped: rejection_detail, then what `next` names. Repeat no refused replay unchanged.\n"
    "- Coordinates are pixels of the picture that observe showed, with its frame_id.\n"
    "- Give start_run an evaluator whenever the work leaves something that can be checked (a file, a cell, a "
    "row): only a check that we ran promotes a memory. Put {name} where an input's value stands.\n"
    "- Say `target` and `expect` with every act: they are kept, and make the memory better.\n"
    '- Secrets are typed by reference (text_ref "env:NAME"), never as text.\n'
    "- A new memory can be called at once through run_memory, also where tools are not listed again."
)
