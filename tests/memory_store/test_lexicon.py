from collections import defaultdict

from memory_store.retrieval.lexicon import lexicon
from memory_store.retrieval.tables import read_lines, read_table
from memory_store.retrieval.words import split_words


def test_a_word_or_phrase_stands_for_one_thing_only() -> None:
    heads: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for head, variants in read_table("synonyms.txt"):
        for variant in (head.replace("_", " "), *variants):
            heads[tuple(word.stem for word in split_words(variant) if word.kind != "stop")].add(head)

    assert {words: found for words, found in heads.items() if len(found) > 1} == {}


def test_heads_used_in_the_other_tables_exist() -> None:
    heads = {head for head, _ in read_table("synonyms.txt")}
    used = {
        word.strip()
        for name in ("related.txt", "opposites.txt")
        for line in read_lines(name)
        for word in line.lstrip("!~ ").split(",")
    }

    assert {word for word in used if "_" in word} - heads == set()


def test_nearness_and_rivalry_go_both_ways() -> None:
    words = lexicon()

    assert all(one in words.related[other] for one, others in words.related.items() for other in others)
    assert all(one in words.rivals[other] for one, others in words.rivals.items() for other in others)
