"""What is left out of an article that is too long is said."""

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
@pytest.mark.model
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.RUSSIAN])
def test_a_note_says_how_much_of_a_text_has_no_events(language, tmp_path):
    rows = [row(10, language), row(600, language)]
    built = whywire.build(rows)
    (note,) = built.problems
    assert (note.place, note.kept) == ("item 2", True)
    unread = int(note.reason.split("last ")[1].split(" of")[0].replace(",", ""))
    end = len(rows[1]["text"]) - unread
    assert rows[1]["text"][end:].startswith(rows[1]["text"][:5])
    assert max(mention.span[1] for event in built.graph.events for mention in event.mentions) <= end
    built.write(tmp_path / "out")
    assert note.reason in (tmp_path / "out" / "rejected.jsonl").read_text(encoding="utf-8")
    done = whywire.update(rows, tmp_path / "news.db")
    assert [problem.reason for problem in done.problems] == [note.reason]
