"""What claims answer, what they deny, and what several of them make sure together."""

import json
import re
from dataclasses import replace

import pytest

from whywire import Article, Claim, ClaimKind, InputError, Language, LanguageModels, PairModel
from whywire.answers.question import parse_question
from whywire.answers.search import MAX_PROBABILITY, MIN_PROBABILITY, find_answers
from whywire.answers.sourced_claims import SourcedClaim, claims_of_graph
from whywire.building import build
from whywire.elements import ClaimEvidence, Event, ImpliedEvidence, Link, LinkKind, Mention, MentionKind, Order
from whywire.graph.build_folder import is_build_folder, read_graph
from whywire.graph.causal_graph import CausalGraph
from whywire.news import to_row

BLACKOUT = "What caused the blackout in Tillbury?"


@pytest.fixture(scope="module")
def model() -> PairModel:
    return PairModel.from_pretrained()


def sourced(cause, effect, *, number=0, source=None, denied=False, probability=0.9, joint=" led to "):
    """A claim in an article of its own whose title tells of the effect."""
    quote = f"{cause}{joint}{effect}."
    claim = Claim(
        id=f"c{number}",
        kind=ClaimKind.DENIAL if denied else ClaimKind.CAUSAL,
        article=f"n{number}",
        event=f"e{number}",
        field="text",
        sentence=(10, 10 + len(quote)),
        quote=quote,
        probability=probability,
        cause=(10, 10 + len(cause)),
        effect=(10 + len(cause) + len(joint), 9 + len(quote)),
    )
    article = Article(
        f"n{number}", f"Report on {effect}", language=Language.ENGLISH, source=source, text=f"{'—' * 10}{quote}"
    )
    return SourcedClaim(claim, article)


def graph_of(claims):
    """A graph of claims that support no link; what they say is mentioned."""
    articles = {one.article.id: one.article for one in claims}
    events = tuple(
        Event(
            *(one.claim.event, one.article.title, Language.ENGLISH, None, None, (one.article.id,)),
            mentions=(Mention(one.article.id, "text", one.claim.sentence, MentionKind.STATEMENT),),
        )
        for one in claims
    )
    return CausalGraph(articles, events, (), tuple(one.claim for one in claims))


STORM = sourced("a storm that felled three pylons", "the blackout in Tillbury", source="Northwire")
OTHERS = [
    sourced("a frozen pitch", "the cup final being put off", number=7),
    sourced("a spelling mistake", "the recall of 400 school books", number=8),
    sourced("late snow", "a poor harvest of plums in Journey Vale", number=9),
]


def test_the_other_side_of_the_claim_is_the_answer(model):
    for question, expected in (
        (BLACKOUT, "a storm that felled three pylons"),
        ("What did the storm that felled pylons lead to?", "the blackout in Tillbury"),
    ):
        first, *_ = find_answers(parse_question(question), graph_of([*OTHERS, STORM]), model).answers
        assert first.text == expected
        assert MIN_PROBABILITY <= first.probability <= 1
        assert [source.origin for source in first.sources] == [STORM]


@pytest.mark.parametrize(
    "question",
    ["Why did the mayor resign?", "What did the eclipse lead to?", "Why do cats purr?", "Почему погас свет?"],
)
def test_what_nobody_claims_has_no_answer(model, question):
    assert find_answers(parse_question(question), graph_of([*OTHERS, STORM]), model).answers == ()


class Watched:
    """A model that notes what it embeds."""

    def __init__(self, model):
        self._model = model
        self.same_event_by_cosine = model.same_event_by_cosine
        self.embedded = set()

    def embed(self, texts):
        self.embedded |= {*texts}
        return self._model.embed(texts)


def test_the_words_of_claims_that_cannot_answer_are_not_embedded(model):
    watched = Watched(model)
    first, *_ = find_answers(parse_question(BLACKOUT), graph_of([*OTHERS, STORM]), watched).answers
    assert first.sources[0].origin == STORM
    assert STORM.effect in watched.embedded
    assert watched.embedded.isdisjoint({one.effect for one in OTHERS})
    assert watched.embedded.isdisjoint({one.article.title for one in OTHERS}), "they share no word with the question"


@pytest.mark.parametrize("question", ["Why did the BBC go off the air?", "Why were 1,200 flights cancelled?"])
def test_acronyms_and_numbers_of_a_question_are_found_however_they_are_written(model, question):
    right = sourced("a cut cable", "the BBC leaving the air and 1200 flights being cancelled")
    first, *_ = find_answers(parse_question(question), graph_of([*OTHERS, right]), model).answers
    assert first.text == "a cut cable"


def told(*links):
    """A graph of one article a link, ``(cause, effect, strength)`` in words; the same words are the same event."""
    names = list(dict.fromkeys(words for cause, effect, _ in links for words in (cause, effect)))
    articles, mentions, made = {}, {words: [] for words in names}, []
    for number, (cause, effect, strength) in enumerate(links):
        text = f"{cause}. {effect}."
        name = f"n{number}"
        articles[name] = Article(name, "Morning report", language=Language.ENGLISH, text=text)
        ends = [
            Mention(name, "text", (start, start + len(words)), MentionKind.STATEMENT)
            for words, start in ((cause, 0), (effect, len(cause) + 2))
        ]
        mentions[cause].append(ends[0])
        mentions[effect].append(ends[1])
        evidence = (ImpliedEvidence(*ends, 0.6),)
        made.append(Link(cause, effect, LinkKind.CAUSES, 0.6, strength, Order.UNKNOWN, evidence))
    events = tuple(
        Event(words, words, Language.ENGLISH, None, None, tuple(one.article for one in own), "s", tuple(own))
        for words, own in mentions.items()
    )
    return CausalGraph(articles, events, tuple({(one.source, one.target): one for one in made}.values()))


HAIL = ("hail smashed the glasshouses", "tomatoes became dear in Tillbury", 90)
STRIKE = ("lorry drivers walked out", "shops in Tillbury stood empty", 80)


def test_the_other_end_of_a_link_is_the_answer_though_no_sentence_says_so(model):
    graph = told(HAIL, STRIKE)
    for question, expected in (
        ("Why did tomatoes become dear in Tillbury?", HAIL[0]),
        ("What did the hail that smashed glasshouses lead to?", HAIL[1]),
    ):
        found = find_answers(parse_question(question), graph, model)
        first = found.answers[0]
        assert (first.text, first.event.id, first.sources) == (expected, expected, ())
        assert first.links[0].source == HAIL[0]


def test_a_link_to_something_else_does_not_answer(model):
    assert find_answers(parse_question("Why did the mayor resign?"), told(HAIL, STRIKE), model).answers == ()


def test_of_two_causes_the_stronger_comes_first(model):
    weak, strong = ("a wet spring drowned the seedlings", HAIL[1], 30), HAIL
    for order in ((weak, strong), (strong, weak)):
        found = find_answers(parse_question("Why did tomatoes become dear in Tillbury?"), told(*order), model)
        assert [answer.text for answer in found.answers] == [strong[0], weak[0]]


def test_one_cause_told_twice_is_one_answer(model):
    again = ("the glasshouses were smashed by hail", "tomatoes were dear in Tillbury", 85)
    found = find_answers(parse_question("Why did tomatoes become dear in Tillbury?"), told(HAIL, again), model)
    assert len(found.answers) == 1
    assert len(found.answers[0].links) == 2


def test_the_sentence_that_says_a_link_is_its_source(model):
    graph = told(HAIL)
    quote = graph.articles["n0"].text
    claim = Claim("c", ClaimKind.CAUSAL, "n0", HAIL[0], "text", (0, len(quote)), quote, 0.8, (0, 28), (30, 62))
    said = replace(graph.links[0], evidence=(ClaimEvidence("c", 0.6),))
    graph = replace(graph, links=(said,), claims=(claim,))
    first = find_answers(parse_question("Why did tomatoes become dear in Tillbury?"), graph, model).answers[0]
    assert [source.origin.claim.id for source in first.sources] == ["c"]


def test_no_claims_give_no_answer(model):
    assert find_answers(parse_question(BLACKOUT), graph_of([]), model).answers == ()


def test_outlets_that_say_the_same_make_it_surer_and_one_that_repeats_itself_does_not(model):
    question = parse_question(BLACKOUT)
    weaker = replace(STORM, claim=replace(STORM.claim, probability=0.6))

    def again(number, source):
        one = sourced("the storm that felled pylons", "the blackout in Tillbury", number=number, joint=" had caused ")
        article = replace(one.article, source=source)
        return SourcedClaim(replace(one.claim, probability=0.6), article)

    alone = find_answers(question, graph_of([*OTHERS, weaker]), model).answers[0]
    repeated = find_answers(question, graph_of([*OTHERS, weaker, again(1, "Northwire")]), model).answers
    joined = find_answers(question, graph_of([*OTHERS, weaker, again(1, "Harbour Post")]), model).answers
    assert (len(repeated), len(joined)) == (1, 1)
    assert len(repeated[0].sources) == len(joined[0].sources) == 2
    assert repeated[0].probability == pytest.approx(alone.probability, abs=0.05)
    assert repeated[0].probability < joined[0].probability <= MAX_PROBABILITY


def test_what_is_denied_is_reported_and_is_no_answer(model):
    sabotage = sourced("sabotage", "the blackout in Tillbury", number=1, denied=True, joint=" did not lead to ")
    found = find_answers(parse_question(BLACKOUT), graph_of([*OTHERS, sabotage]), model)
    assert found.answers == ()
    assert [denial.text for denial in found.denied] == ["sabotage"]


def test_a_claim_that_only_points_or_repeats_the_question_is_no_answer(model):
    for cause in ("this", "It", "the Tillbury blackout"):
        assert (
            find_answers(
                parse_question(BLACKOUT), graph_of([*OTHERS, sourced(cause, "the blackout in Tillbury")]), model
            ).answers
            == ()
        )


QUESTIONS = {
    "Why did petrol prices rise?": "shortage|road|haulage",
    "Why did taxi drivers block bridges in Calder Bay?": "price",
    "What led to the closure of Halden & Pryce?": "run|default|cash",
    "Why did farmers pour away their milk?": "plant|buyer",
    "Why did Velmar stop making cars?": "parts|strike",
    "Why did the Ashgarth workers get no wages?": "frozen|freeze|failure|was closed",
    "Why did shares in regional banks fall?": "closure",
    "Why did the court order a recount in Orvane?": "log|boxes|spoiled",
    "Why did museum visitors double?": "owl",
    "Why did fish die in Sallow Brook?": "milk",
    "Why were the foam tenders late?": "crossing|train",
    "What did the closure of Halden & Pryce lead to?": "share|wages|fear|lenders|down 12.5 per cent",
    "Why did supporters of Reyl surround City Hall?": "claim|boxes|result",
    "Why are both newborn babies expected to live?": "antibiotics",
    "Почему поднялся уровень реки Тёмной?": "дожд|ливн|снег",
    "К чему привело закрытие линии метро?": "пробк",
    "Почему уволили начальника метро?": "столкн|вывод|авари",
    "Почему откладывали ремонт затворов?": "дорог",
    "Почему летучие мыши зимуют в старой штольне?": "температур|тепло",
    "Почему застряла колонна автобусов?": "насыпь",
    "К чему привела утечка данных Коралл-банка?": "мошен|звонк|похитили|вклад",
    "Почему вкладчики забирают деньги из Коралл-банка?": "мошен|утечк|довер",
}
UNANSWERED = [
    "Why did the mayor of Calder Bay resign?",
    "What caused the earthquake in Wexmoor?",
    "Why was the football season cancelled?",
    "Why did the price of bread rise?",
    "Why did Velmar move its factory abroad?",
    "Why did the bridge collapse?",
    "What did the tax reform lead to?",
    "Why do cats purr?",
    "Почему закрыли аэропорт Старомостска?",
    "Что стало причиной землетрясения?",
    "Почему подорожал хлеб?",
    "К чему привёл визит президента?",
]


@pytest.mark.model
@pytest.mark.slow
def test_questions_on_the_example_are_answered_or_refused(example):
    models, built = LanguageModels(), build(example)
    graph = built.graph

    def first(text):
        question = parse_question(text)
        answers = find_answers(question, graph, models.pairs(question.language)).answers
        return answers[0].text if answers else None

    got = {text: first(text) or "" for text in (*QUESTIONS, *UNANSWERED)}
    wrong = {text: got[text] for text, right in QUESTIONS.items() if not re.search(right, got[text], re.IGNORECASE)}
    assert len(wrong) <= 5, wrong
    answered = {text: got[text] for text in UNANSWERED if got[text]}
    assert len(answered) <= 1, answered


def test_the_files_of_a_build_hold_the_same_claims_as_its_graph(example, fake_models, tmp_path):
    built = build(example[::3], models=fake_models)
    built.write(tmp_path, title="Test", inputs=["news.jsonl"])
    assert is_build_folder(tmp_path)
    assert not is_build_folder(tmp_path.parent)
    claims = claims_of_graph(built.graph)

    def words(claims):
        return [(one.claim.id, one.cause, one.effect, one.denied, one.article.id) for one in claims]

    assert words(claims_of_graph(read_graph(tmp_path))) == words(claims)
    (tmp_path / "articles.jsonl").write_text(
        "".join(json.dumps(to_row(article)) + "\n" for article in built.graph.articles.values()), encoding="utf-8"
    )
    assert [one.article for one in claims_of_graph(read_graph(tmp_path))] == [one.article for one in claims]


@pytest.mark.parametrize("broken", ['{"id": "c-1"}', "[]", "{", '{"id": "c-1", "kind": "guess"}'])
def test_a_broken_row_of_a_build_is_named(tmp_path, broken):
    for name in ("articles", "events", "links"):
        (tmp_path / f"{name}.jsonl").touch()
    (tmp_path / "claims.jsonl").write_text(f"\n{broken}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"claims\.jsonl:2: not a row that `whywire build` writes"):
        claims_of_graph(read_graph(tmp_path))
