from hypothesis import given
from hypothesis import strategies as st

from memory_store.diff import diff_memories
from memory_store.graph import Signature, find_within, links_of, nodes_of, shared_prefix, signatures_of
from memory_store.models import FlexibleInput, Memory, Place, Step, StepRole
from memory_store.repository import Repository
from tests.memory_store.making import add_memory, click, keys, make_memory, phone_input

programs = st.lists(st.sampled_from("abcd").map(Signature), max_size=6)


def test_where_a_target_was_on_the_screen_is_no_part_of_its_identity() -> None:
    assert signatures_of(make_memory(steps=[click("save", x=40)])) == signatures_of(
        make_memory(steps=[click("the Save button", x=300)])
    )


def test_the_text_of_an_input_is_no_part_of_the_program() -> None:
    first = make_memory()
    other = make_memory(
        steps=[click("phone field"), keys("type", text="555-0199"), keys("hotkey", keys=["ctrl", "s"])],
        inputs=(phone_input("555-0199"),),
    )

    assert signatures_of(first) == signatures_of(other)


def test_a_fixed_text_is_part_of_the_program() -> None:
    first = make_memory(steps=[keys("type", text="yes")], inputs=())
    other = make_memory(steps=[keys("type", text="no")], inputs=())

    assert signatures_of(first) != signatures_of(other)


def test_other_actions_other_targets_and_other_applications_are_other_nodes() -> None:
    steps = [click("save"), click("cancel"), keys("press", key="enter"), keys("press", key="escape")]

    assert len(set(signatures_of(make_memory(steps=steps, inputs=())))) == 4


@given(programs, programs)
def test_the_shared_prefix_is_the_longest_one(first: list[Signature], second: list[Signature]) -> None:
    length = shared_prefix(first, second)

    assert first[:length] == second[:length]
    assert first[length : length + 1] != second[length : length + 1] or length == len(first) == len(second)


@given(programs, programs, programs)
def test_a_part_is_found_within_the_whole(
    before: list[Signature], part: list[Signature], after: list[Signature]
) -> None:
    whole = [*before, *part, *after]

    found = find_within(part, whole)

    assert found is not None
    assert whole[found.start : found.start + found.length] == part


def test_links_lead_from_each_node_to_the_next() -> None:
    a, b = Signature("a"), Signature("b")

    assert links_of([a, b, a]) == ((None, a), (a, b), (b, a))


def test_the_store_counts_who_shares_a_node_and_where_programs_branch(repository: Repository) -> None:
    first = add_memory(repository, "first")
    with repository.writing() as keeper:
        steps = [click("phone field", keeper, 1), keys("press", key="escape")]
        second = repository.add(make_memory("second", steps=steps), at=first.created_at)

    uses = repository.graph(first)
    root, fork = nodes_of(first)[0].signature, {nodes_of(m)[1].signature for m in (first, second)}

    assert uses[root].memories == 2
    assert set(uses[root].children) == fork
    assert uses[nodes_of(first)[2].signature].memories == 1


def test_a_diff_shows_the_shared_prefix_and_both_branches() -> None:
    first = make_memory(steps=[click("file"), click("save"), keys("press", key="enter")], inputs=())
    second = make_memory(
        steps=[click("file"), click("export"), click("pdf"), keys("press", key="enter")], inputs=()
    )

    found = diff_memories(first, second)

    assert [line.action for line in found.shared_prefix] == ["click"]
    assert [line.component for line in found.first_branch] == ["words:contacts:save"]
    assert [line.component for line in found.second_branch] == ["words:contacts:export", "words:contacts:pdf"]
    assert found.shared_suffix == 1


def test_a_diff_shows_changed_inputs_and_changed_evidence(repository: Repository) -> None:
    with repository.writing() as keeper:
        old: list[Step] = [click("phone", keeper, 1), keys("type", text="555-0100")]
        new: list[Step] = [click("phone", keeper, 2), keys("type", text="555-0100")]
    renamed = FlexibleInput(name="number", places=(Place(action_index=1),), default="555-0100")

    found = diff_memories(make_memory(steps=old), make_memory(steps=new, inputs=(renamed,)))

    assert [change.field for change in found.inputs] == ["number", "phone"]
    assert [change.field for change in found.evidence] == ["steps.0.evidence"]
    assert found.first_branch == found.second_branch == ()


def test_a_memory_does_not_differ_from_itself() -> None:
    memory: Memory = make_memory()

    assert diff_memories(memory, memory).same


def test_a_diff_shows_a_changed_role() -> None:
    first = make_memory()
    guard = first.steps[0].model_copy(update={"role": StepRole.GUARD})
    second = first.model_copy(update={"steps": (guard, *first.steps[1:])})

    found = diff_memories(first, second)

    assert [(change.field, change.first, change.second) for change in found.other] == [
        ("steps.0.role", "required", "guard")
    ]
    assert not found.same
