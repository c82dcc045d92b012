"""What an article of too many mentions loses is said."""

import pytest

import whywire
from whywire import Language


def row(sentences, language):
    words = {
        Language.ENGLISH: "Roads of district {0} flooded because the storm had broken dyke {0}.",
        Language.RUSSIAN: "Дороги района {0} затопило, потому что шторм прорвал дамбу {0}.",
    }[language]
    text = "\n".join(words.format(number) for number in range(sentences))
    return {"id": f"{language}-{sentences}", "title": words.format("x"), "text": text, "language": str(language)}


@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.RUSSIAN])
def test_a_note_says_that_pairs_of_mentions_far_apart_were_left_out(language, fake_models, tmp_path):
    rows = [row(10, language), row(600, language)]
    built = whywire.build(rows, models=fake_models)
    (note,) = built.problems
    assert (note.place, note.kept) == ("item 2", True)
    assert "only those at most 1,000 apart" in note.reason
    built.write(tmp_path / "out")
    assert note.reason in (tmp_path / "out" / "rejected.jsonl").read_text(encoding="utf-8")
    done = whywire.update(rows, tmp_path / "news.db", models=fake_models)
    assert [problem.reason for problem in done.problems] == [note.reason]
