import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("spacy")
pytest.importorskip("lemminflect")

from whywire.errors import ModelError
from whywire.sentences.counterfactual.contrapositive import contrapositives
from whywire.sentences.counterfactual.grammar import english

try:
    english()
except ModelError as error:  # spaCy is here, its English pipeline is not
    pytest.skip(str(error), allow_module_level=True)


def contrapositive(text, antecedent, consequent):
    """The fact of one sentence."""
    return contrapositives([(text, antecedent, consequent)])[0]


PAIRS = [
    # if, and the tenses of both parts
    (
        "if the dam had held",
        "the village would have been spared",
        "Since the dam did not hold, the village was not spared.",
    ),
    ("if I were rich", "I would buy the house", "Since I am not rich, I do not buy the house."),
    ("if she spoke Greek", "she could work in Athens", "Since she does not speak Greek, she cannot work in Athens."),
    (
        "if the pilots were working today",
        "the planes would be flying",
        "Since the pilots are not working today, the planes are not flying.",
    ),
    (
        "if only the minister had listened",
        "the strike might have ended",
        "Since the minister did not listen, the strike did not end.",
    ),
    (
        "only if the bank had agreed",
        "the firm would have survived",
        "Since the bank did not agree, the firm did not survive.",
    ),
    (
        "if the mayor were to resign",
        "the council would elect a successor",
        "Since the mayor is not going to resign, the council does not elect a successor.",
    ),
    (
        "if we had had more time",
        "we would have had to wait",
        "Since we did not have more time, we did not have to wait.",
    ),
    ("if he'd asked me", "I'd have told him the truth", "Since he did not ask me, I did not tell him the truth."),
    ("if the nurses had been paid", "they wouldn't of left", "Since the nurses were not paid, they left."),
    # passives, progressives, modals
    (
        "if the guard had been watching the gate",
        "the thieves could not have entered",
        "Since the guard was not watching the gate, the thieves entered.",
    ),
    (
        "if the road had been repaired",
        "we would have been able to leave",
        "Since the road was not repaired, we were not able to leave.",
    ),
    # inversions
    (
        "had the trial failed",
        "the company would have closed",
        "Since the trial did not fail, the company did not close.",
    ),
    (
        "had he not missed the train",
        "he would have arrived on time",
        "Since he missed the train, he did not arrive on time.",
    ),
    ("were she the captain", "the crew would obey", "Since she is not the captain, the crew does not obey."),
    (
        "were the king to abdicate",
        "his son would rule",
        "Since the king is not going to abdicate, his son does not rule.",
    ),
    ("should you need a lawyer", "we would pay", "Since you do not need a lawyer, we do not pay."),
    (
        "had the judges agreed and had the witness spoken",
        "the case would have been won",
        "Since the judges did not agree and the witness did not speak, the case was not won.",
    ),
    # noun phrases
    ("had it not been for the goalkeeper", "we would have lost", "Because of the goalkeeper, we did not lose."),
    (
        "had it not been for restrictions",
        "the numbers would have been high",
        "Since there were restrictions, the numbers were not high.",
    ),
    ("if it weren't for her brother", "she would live alone", "Because of her brother, she does not live alone."),
    ("but for a storm", "the fleet would have landed", "Since there was a storm, the fleet did not land."),
    (
        "without any help",
        "the farmers could not have sown the fields",
        "Since there was some help, the farmers sowed the fields.",
    ),
    ("without subsidies", "bread would cost more", "Since there are subsidies, bread does not cost more."),
    (
        "with better brakes",
        "the tram would have stopped",
        "Since there were no better brakes, the tram did not stop.",
    ),
    # unless
    ("unless the river had frozen", "they could not have crossed", "Since the river froze, they crossed."),
    # denials removed and given
    ("if I had not slept", "I would have seen the comet", "Since I slept, I did not see the comet."),
    ("if the alarm had never rung", "nobody would have woken", "Since the alarm rang, somebody woke."),
    ("if no one had warned them", "everyone would have drowned", "Since somebody warned them, not everyone drowned."),
    ("if nothing had changed", "there would have been no floods", "Since something changed, there were floods."),
    (
        "if the cook hadn't found any salt",
        "the soup would hardly have been eaten",
        "Since the cook found some salt, the soup was eaten.",
    ),
    ("if someone had called", "we would have brought some wine", "Since nobody called, we did not bring any wine."),
    (
        "if all the votes had been counted",
        "she would already be president",
        "Since not all the votes were counted, she is not yet president.",
    ),
    ("if there had been a bridge", "there would have been trade", "Since there was no bridge, there was no trade."),
    (
        "if the lake were no longer polluted",
        "people would swim in it",
        "Since the lake is still polluted, people do not swim in it.",
    ),
    ("if they hadn't eaten at all", "they would probably have fainted", "Since they ate, they did not faint."),
    # coordination and clauses inside
    (
        "if the thief had sold the painting and fled",
        "he would be free",
        "Since the thief did not sell the painting or flee, he is not free.",
    ),
    (
        "if he were a poet and lived in Rome",
        "he would be happy",
        "Since he is not a poet and does not live in Rome, he is not happy.",
    ),
    (
        "if the man who did not pay had apologised",
        "she would have forgiven him",
        "Since the man who did not pay did not apologise, she did not forgive him.",
    ),
    # questions of fact, attributions, pronouns
    (
        "if the roof had leaked",
        "I think the owner would have noticed",
        "Since the roof did not leak, the owner did not notice.",
    ),
    ("if he had trained", "I doubt that he would have won", "Since he did not train, he won."),
    ("if the door had been open", "it would have been easy", "Since the door was not open, it was not easy."),
    ("if asked", "he would have refused", "Since he was not asked, he did not refuse."),
    ("if I had had the money", "I would have", "Since I did not have the money, I did not."),
    ("I wish the bus were on time", "I would take it", "Since the bus is not on time, I do not take it."),
]


def parts(antecedent, consequent):
    """The sentence, condition first, and its two spans."""
    text = f"{antecedent[0].upper()}{antecedent[1:]}, {consequent}."
    start = len(antecedent) + 2
    return text, (0, len(antecedent)), (start, start + len(consequent))


@pytest.mark.parametrize(("antecedent", "consequent", "fact"), PAIRS)
def test_both_parts_are_stated_as_facts(antecedent, consequent, fact):
    assert contrapositive(*parts(antecedent, consequent)) == fact


@pytest.mark.parametrize(("antecedent", "consequent", "fact"), PAIRS[:9])
def test_the_order_of_the_parts_does_not_matter(antecedent, consequent, fact):
    text = f"{consequent[0].upper()}{consequent[1:]} {antecedent}."
    start = len(consequent) + 1
    assert contrapositive(text, (start, len(text) - 1), (0, len(consequent))) == fact


@pytest.mark.parametrize(
    ("antecedent", "consequent"),
    [
        ("even if it had rained", "we would have played"),
        ("had the letter arrived", "what would have happened"),
        ("if the king had lived", "who would have ruled"),
        ("as if he owned the place", "he would walk in"),
    ],
)
def test_what_implies_no_fact_has_no_contrapositive(antecedent, consequent):
    assert contrapositive(*parts(antecedent, consequent)) is None


def test_a_wish_alone_has_no_contrapositive():
    assert contrapositive("I wish he had come.", (7, 18), None) is None


def test_capitals_of_names_stay_and_those_of_places_in_the_sentence_go():
    text = "The harbour would have flooded if Storm Anna had turned north."
    assert contrapositive(text, (31, 61), (0, 30)) == (
        "Since Storm Anna did not turn north, the harbour did not flood."
    )


def test_a_subject_named_before_the_part_is_found():
    text = "The mill lost money but would have made a profit if wages had been lower."
    consequent = text.index("would"), text.index(" if")
    assert contrapositive(text, (text.index("if"), len(text) - 1), consequent) == (
        "Since wages were not lower, the mill did not make a profit."
    )


def marked(text, antecedent, consequent):
    """The contrapositive of a sentence whose parts are given by their words."""
    spans = [(text.index(words), text.index(words) + len(words)) for words in (antecedent, consequent)]
    return contrapositive(text, *spans)


def test_what_a_relative_clause_tells_of_is_put_back():
    text = "They sold the boats they would have needed if the war had gone on."
    assert marked(text, "if the war had gone on", "they would have needed") == (
        "Since the war did not go on, they did not need the boats."
    )


def test_a_thing_may_be_the_condition_of_what_it_would_have_done():
    text = "A warning at dawn would have saved the crew."
    assert marked(text, "A warning at dawn", "would have saved the crew") == (
        "Since there was no warning at dawn, it did not save the crew."
    )


def test_brackets_asides_and_who_said_so_are_left_out():
    text = "If the bank (BNK) had paid, says Mr Orlo, the mill -- a small one -- would have survived."
    assert marked(
        text, "If the bank (BNK) had paid, says Mr Orlo", "the mill -- a small one -- would have survived"
    ) == ("Since the bank did not pay, the mill did not survive.")


def test_text_cut_into_tokens_is_put_together():
    text = "If the ship , an old one , had n't sunk , the crew would n't be here ."
    middle = text.index(" , the crew")
    assert contrapositive(text, (0, middle), (middle + 3, len(text) - 2)) == (
        "Since the ship, an old one, sank, the crew is here."
    )


def test_quotes_left_open_are_dropped():
    text = '"If the town had paid, the school would be open," she said.'
    assert contrapositive(text, (0, 21), (23, 47)) == "Since the town did not pay, the school is not open."


def test_many_are_stated_as_each_alone():
    rows = [parts(antecedent, consequent) for antecedent, consequent, _ in PAIRS]
    rows.insert(3, ("I wish it were over.", (2, 19), None))
    told = contrapositives(rows)
    assert told.pop(3) is None
    assert told == [fact for _, _, fact in PAIRS]
    assert contrapositives([]) == []


WORDS = ["if", "had", "not", "were", "would", "have", "been", "no", "some", "the", "a", "dogs", "he", "I", "there"]
WORDS += ["rain", "without", "but", "for", "to", "who", "n't", "'d", ",", ".", '"']


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.data())
def test_any_words_give_a_sentence_or_nothing(words, data):
    text = " ".join(words)
    first, second = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
    told = contrapositive(text, (0, first), (first, second))
    assert told is None or (told.endswith(".") and told.startswith(("Since ", "Because of ", "Without ")))
