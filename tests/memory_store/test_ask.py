from memory_store.retrieval import Ask, intent_queries


def test_goal_phrases_and_nested_task_fields_are_all_searched_once() -> None:
    ask = Ask(
        "Export the report",
        phrases=("save report as pdf", "export  the report"),
        task={
            "summary": "monthly report",
            "id": "not-an-instruction",
            "payload": {
                "instruction": "write the pdf",
                "steps": 3,
                "tasks": [{"goal": "close it"}, "ignored? no"],
            },
        },
    )

    assert intent_queries(ask) == (
        "Export the report",
        "save report as pdf",
        "monthly report",
        "write the pdf",
        "close it",
        "ignored? no",
    )


def test_an_endless_nesting_is_cut_off() -> None:
    task: dict[str, object] = {"goal": "innermost"}
    for _ in range(40):
        task = {"task": task}

    assert intent_queries(Ask("outer", task=task)) == ("outer",)
