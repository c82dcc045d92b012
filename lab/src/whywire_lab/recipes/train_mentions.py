"""Trains the heads over a sentence model's states: which event words mention and how, and what a link is worth.

The model itself stays as it is. Vectors learn from the events of ECB+ (English) or from pairs of headlines of one day
(Russian); probabilities from claims of the news stream that two readers judged, as ``labels/claims_*.tsv`` says.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from whywire.models import OnnxModel
from whywire.models.odds import calibrated
from whywire.news import Language, split_sentences
from whywire.news.article import Span, overlap
from whywire.sentences.layout import CAUSAL
from whywire.sentences.mention_heads import FILE, VECTOR_SIZE, SentenceStates, edge_features, span_features
from whywire.sentences.reader import SentenceReader
from whywire.sentences.reading import CausalRelation
from whywire.sentences.segments import segments
from whywire_lab.corpora.json_lines import json_lines
from whywire_lab.recipes.calibration import fit_platt
from whywire_lab.recipes.export import read_config, write_config
from whywire_lab.recipes.sentence_data import LABELS, articles_by_key, url_key

HIDDEN = {
    layers: f"/encoder/encoder/layer.{layer}/output/LayerNorm/LayerNormalization_output_0"
    for layers, layer in (("en", 5), ("ru", 1))
}
"""The layer whose states are read, by language: a middle one; later ones forget what the task does not ask."""

FOLDS = 5
WINDOW = (3, 12)
"""Fewest and most tokens of a window around a trigger, cut at random."""

WINDOWS = 3
CLAUSE = 1
"""The view of a mention that is read later."""

DENSE_WEIGHT = 0.3
"""Of a standardised state beside a standardised feature of the words: there are hundreds of the one."""

NEIGHBOURS = 10
"""Nearest mentions of a topic, whose cosines are made probabilities."""

Array = NDArray[Any]


@dataclass(slots=True)
class Mentions:
    """Mentions of events in several views: the trigger, its clause, windows around it, its whole sentence.

    Args:
        states: (tokens of all sentences, width).
        views: (3 + WINDOWS, mentions, 2), first and past-last row in ``states``.
        chains: (mentions,), the event of each.
        topics: (mentions,): only events of one topic are told apart.
        documents: (mentions,).
        names: of the topics.
        open_pairs: chains that may be one event, as well as not.
        clauses: (mentions,), the clause that each stands in.
    """

    states: Array
    views: Array
    chains: Array
    topics: Array
    documents: Array
    open_pairs: Array = field(default_factory=lambda: np.zeros((0, 2), dtype=int))
    clauses: Array = field(init=False)

    def __post_init__(self) -> None:
        self.clauses = np.unique(self.views[CLAUSE], axis=0, return_inverse=True)[1].reshape(-1)


def states_of(model: OnnxModel, texts: Sequence[str]) -> dict[str, SentenceStates]:
    """What the model holds of each text."""
    seen = {}
    for batch in model.run(texts, ["sentence", model.hidden]):
        for row, (number, encoding) in enumerate(zip(batch.numbers, batch.encodings, strict=True)):
            offsets, logits = encoding.offsets[1:-1], batch.outputs["sentence"][row]
            whole, *tokens = batch.outputs[model.hidden][row][: len(offsets) + 1]
            causal = float(calibrated(logits[CAUSAL], model.config["calibration"]["causal"]))
            seen[texts[number]] = SentenceStates(texts[number], offsets, np.array(tokens), whole, logits, causal)
    return seen


def _window(trigger: Span, tokens: int, rng: random.Random) -> Span:
    first, end = trigger
    wanted = rng.randint(*WINDOW)
    while end - first < min(wanted, tokens):
        if end == tokens or (first > 0 and rng.random() < 0.5):
            first -= 1
        else:
            end += 1
    return first, end


def _mentions(
    found: Sequence[tuple[str, Span | None, str, str, str]], states: dict[str, SentenceStates], seed: int
) -> Mentions:
    """Lay out mentions: each its sentence, its trigger (``None``: any token), its chain, its topic, its document."""
    rng = random.Random(seed)
    starts, total = {}, 0
    for text, state in states.items():
        starts[text] = total
        total += len(state.tokens)
    views: list[list[Span]] = []
    kept = []
    for row in found:
        text, trigger, *_ = row
        offsets = states[text].offsets
        places = [place for place, one in enumerate(offsets) if trigger and overlap(one, trigger)]
        if not places and (trigger or not offsets):
            continue
        middle = (places[0], places[-1] + 1) if places else _any_token(len(offsets), rng)
        spans = [middle if places else _window(middle, len(offsets), rng), _clause(text, offsets, middle)]
        for _ in range(WINDOWS):
            middle = middle if places else _any_token(len(offsets), rng)
            spans.append(_window(middle, len(offsets), rng))
        views.append([(starts[text] + a, starts[text] + b) for a, b in [*spans, (0, len(offsets))]])
        kept.append(row)
    places_of = [np.unique([row[column] for row in kept], return_inverse=True)[1] for column in (2, 3, 4)]
    tokens = np.concatenate([state.tokens for state in states.values() if len(state.tokens)])
    return Mentions(tokens, np.array(views).transpose(1, 0, 2), *places_of)


def _clause(text: str, offsets: Sequence[Span], tokens: Span) -> Span:
    """The tokens of the clause that some tokens stand in; themselves where they are of none or of several."""
    first, end = tokens
    for clause in segments(text):
        places = [place for place, one in enumerate(offsets) if overlap(one, clause)]
        if places and places[0] <= first and end <= places[-1] + 1:
            return places[0], places[-1] + 1
    return tokens


def _any_token(tokens: int, rng: random.Random) -> Span:
    place = rng.randrange(tokens)
    return place, place + 1


def english_mentions(data: Path, model: OnnxModel, seed: int = 0) -> tuple[Mentions, list[str]]:
    """The mentions of ECB+, and the topic each is of; one of no chain is an event of its own."""
    found: list[tuple[str, Span | None, str, str, str]] = []
    for row in json_lines(data / "event_mentions" / "documents.jsonl"):
        topic = row["document"].split("_")[0]
        for one in row["mentions"]:
            for start, end in row["sentences"]:
                if start <= one["start"] and one["end"] <= end:
                    chain = one["same_as"] or f"{row['document']} {one['id']}"
                    trigger = (one["start"] - start, one["end"] - start)
                    found.append((row["text"][start:end], trigger, f"{topic} {chain}", topic, row["document"]))
                    break
    states = states_of(model, sorted({row[0] for row in found}))
    mentions = _mentions(found, states, seed)
    return mentions, sorted({row[3] for row in found})


class _Joined:
    """Names that were joined, directly or through others, have the same root (union-find)."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def root(self, name: str) -> str:
        above = self._above
        above.setdefault(name, name)
        while above[name] != name:
            above[name] = name = above[above[name]]
        return name

    def join(self, one: str, other: str) -> None:
        """The root of the second becomes that of both."""
        self._above[self.root(one)] = self.root(other)


def russian_mentions(data: Path, model: OnnxModel, seed: int = 0) -> Mentions:
    """Headlines of one day: paraphrases are of one event, near ones may be; topics are runs of the corpus' rows."""
    rows = list(json_lines(data / "same_event" / "paraphraser_ru.jsonl"))
    events, touching = _Joined(), _Joined()
    root, component = events.root, touching.root
    first_seen: dict[str, int] = {}
    for number, row in enumerate(rows):
        one, other = row["first_title"], row["second_title"]
        for title in (one, other):
            first_seen.setdefault(title, number)
        touching.join(one, other)
        if row["label"] == "paraphrase":
            events.join(one, other)
    runs: dict[str, int] = {}
    for title in first_seen:
        runs[component(title)] = min(runs.get(component(title), len(rows)), first_seen[title])
    found: list[tuple[str, Span | None, str, str, str]] = [
        (title, None, root(title), f"{runs[component(title)] // 200:03d}", title) for title in first_seen
    ]
    found = [row for row in found if row[0].strip()]
    mentions = _mentions(found, states_of(model, [row[0] for row in found]), seed)
    names = sorted({row[2] for row in found})
    place = {name: number for number, name in enumerate(names)}
    mentions.open_pairs = np.array(
        sorted(
            {(place[root(a)], place[root(b)]) for row in rows if row["label"] == "near" for a, b in _both_ways(row)}
        )
    )
    return mentions


def _both_ways(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield row["first_title"], row["second_title"]
    yield row["second_title"], row["first_title"]


def folds_of_topics(topics: Array) -> Array:
    """A fold for each mention: whole topics, the largest first into the emptiest fold, (mentions,)."""
    load = [0] * FOLDS
    fold: dict[int, int] = {}
    for topic, count in sorted(Counter(topics.tolist()).items(), key=lambda one: (-one[1], one[0])):
        fold[topic] = load.index(min(load))
        load[fold[topic]] += count
    return np.array([fold[topic] for topic in topics.tolist()])


def train_vectors(
    mentions: Mentions,
    chosen: Array,
    *,
    steps: int = 400,
    temperature: float = 0.1,
    rate: float = 0.03,
    batch: int = 384,
    topics_at_once: int = 3,
    triggers: float = 0.15,
    sentences: float = 0.1,
    dropout: float = 0.1,
    attention: bool = True,
    seed: int = 0,
) -> dict[str, Array]:
    """Learn ``centre``, ``projection`` and ``attention`` from the chosen mentions (places).

    Args:
        triggers, sentences: shares of mentions seen as their trigger alone and as their whole sentence.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    rng = np.random.default_rng(seed)
    windows = _means(mentions.states, mentions.views[CLAUSE, chosen])
    centre = windows.mean(axis=0)
    _, spread, axes = np.linalg.svd(windows - centre, full_matrices=False)
    variance = spread**2 / len(windows)
    start = (axes[:VECTOR_SIZE] / (variance[:VECTOR_SIZE, None] + 1e-3 * variance[0]) ** 0.25).T
    start /= np.linalg.norm((windows - centre) @ start, axis=1).mean()
    states = torch.tensor(mentions.states - centre, dtype=torch.float32)
    projection = torch.nn.Parameter(torch.tensor(start, dtype=torch.float32))
    weights = torch.nn.Parameter(torch.zeros(len(centre)), requires_grad=attention)
    optimiser = torch.optim.Adam(
        [
            {"params": [projection], "lr": rate * float(projection.detach().abs().mean())},
            {"params": [weights], "lr": rate / 10},
        ]
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    by_topic = [chosen[mentions.topics[chosen] == topic] for topic in np.unique(mentions.topics[chosen])]
    chains = int(mentions.chains.max()) + 1
    open_keys = mentions.open_pairs[:, 0] * chains + mentions.open_pairs[:, 1]
    for _ in range(steps):
        topics = rng.choice(len(by_topic), min(topics_at_once, len(by_topic)), replace=False)
        picked = np.concatenate([rng.permutation(by_topic[topic])[: batch // topics_at_once] for topic in topics])
        drawn = rng.random(len(picked))
        view = np.where(drawn < triggers, 0, rng.integers(CLAUSE, CLAUSE + 1 + WINDOWS, len(picked)))
        view = np.where(drawn > 1 - sentences, len(mentions.views) - 1, view)
        spans = mentions.views[view, picked]
        owners = torch.tensor(np.repeat(np.arange(len(picked)), spans[:, 1] - spans[:, 0]))
        seen = states[np.concatenate([np.arange(*span) for span in spans])]
        seen = torch.nn.functional.dropout(seen, dropout)
        shares = torch.exp((seen @ weights).clamp(-20, 20))
        pooled = torch.zeros(len(picked), VECTOR_SIZE).index_add(0, owners, shares[:, None] * (seen @ projection))
        vectors = torch.nn.functional.normalize(pooled, dim=1)
        event, sentence = mentions.chains[picked], mentions.views[-1, picked, 0]
        itself = np.eye(len(picked), dtype=bool)
        same = (event[:, None] == event[None]) & ~itself
        unclear = (sentence[:, None] == sentence[None]) | clauses_meet(mentions, picked)  # of several events
        if len(open_keys):
            unclear |= np.isin(event[:, None] * chains + event[None], open_keys)
        left_out = torch.tensor(itself | (unclear & ~same))
        similarity = (vectors @ vectors.T / temperature).masked_fill(left_out, -1e9)
        logs = similarity - torch.logsumexp(similarity, 1, keepdim=True)
        positive = torch.tensor(same)
        some = positive.any(1)
        loss = -((logs * positive).sum(1)[some] / positive.sum(1)[some]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return {
        "centre": centre.astype(np.float32),
        "projection": projection.detach().numpy(),
        "attention": weights.detach().numpy(),
    }


def clauses_meet(mentions: Mentions, places: Array) -> Array:
    """Whether the clauses of two mentions mention one event, be it these or another, (places, places)."""
    there = np.flatnonzero(np.isin(mentions.clauses, mentions.clauses[places]))
    rows = np.unique(mentions.clauses[there], return_inverse=True)[1]
    columns = np.unique(mentions.chains[there], return_inverse=True)[1]
    told = np.zeros((rows.max() + 1, columns.max() + 1), dtype=np.float32)
    told[rows, columns] = 1
    own = told[rows[np.searchsorted(there, places)]]
    meet: Array = own @ own.T > 0
    return meet


def _means(states: Array, spans: Array) -> Array:
    return np.array([states[first:end].mean(axis=0) for first, end in spans])


def vectors_of(mentions: Mentions, spans: Array, learnt: dict[str, Array]) -> Array:
    """(spans, VECTOR_SIZE), unit length, as :class:`whywire.sentences.mention_heads.MentionHeads` makes them."""
    centred = mentions.states - learnt["centre"]
    shares = np.exp(np.clip(centred @ learnt["attention"], -20, 20))[:, None]
    projected = centred @ learnt["projection"] * shares
    sums = np.concatenate([np.zeros((1, projected.shape[1])), np.cumsum(projected, axis=0, dtype=np.float64)])
    pooled = sums[spans[:, 1]] - sums[spans[:, 0]]
    unit: Array = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)
    return unit


def pairs_of(mentions: Mentions, chosen: Array) -> tuple[Array, Array]:
    """Pairs of mentions of one topic and two documents, as places, leaving open ones out; and which are one event."""
    parts = []
    for topic in np.unique(mentions.topics[chosen]):
        there = chosen[mentions.topics[chosen] == topic]
        one, other = np.triu_indices(len(there), 1)
        parts.append(np.stack([there[one], there[other]]))
    pairs = np.concatenate(parts, axis=1)
    pairs = pairs[:, mentions.documents[pairs[0]] != mentions.documents[pairs[1]]]
    same = mentions.chains[pairs[0]] == mentions.chains[pairs[1]]
    if len(mentions.open_pairs):
        chains = int(mentions.chains.max()) + 1
        keys = mentions.open_pairs[:, 0] * chains + mentions.open_pairs[:, 1]
        clear = same | ~np.isin(mentions.chains[pairs[0]] * chains + mentions.chains[pairs[1]], keys)
        pairs, same = pairs[:, clear], same[clear]
    return pairs, same


def neighbours(mentions: Mentions, chosen: Array, vectors: Array) -> tuple[Array, Array]:
    """Cosines of each chosen clause's nearest of its topic in other documents, and whether they share an event."""
    pairs, same = pairs_of(mentions, chosen)
    place_of = {place: number for number, place in enumerate(chosen.tolist())}
    rows = np.vectorize(place_of.__getitem__)(pairs)
    same = same | clauses_meet(mentions, chosen)[rows[0], rows[1]]
    cosines = (vectors[pairs[0]] * vectors[pairs[1]]).sum(axis=1)
    near: defaultdict[int, list[int]] = defaultdict(list)
    for place in np.argsort(-cosines):
        for mention in pairs[:, place].tolist():
            if len(near[mention]) < NEIGHBOURS:
                near[mention].append(int(place))
    kept = np.array(sorted({place for places in near.values() for place in places}))
    return cosines[kept], same[kept]


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation the model found in a sentence of the news stream, and what two readers, apart, said of it.

    Args:
        readings: six letters each: the relation is (r)ight, (d)ebatable, (w)rong; (y) both, (p) one or neither alone,
            (n) not both are events of the news; then for cause and effect each whether it is (a)ctual, (p)lanned,
            (h)edged or (g)eneric, and whether it can be understood alone (y, n).
    """

    article: str
    sentence: str
    relation: CausalRelation
    readings: tuple[str, str]

    @property
    def good(self) -> bool:
        """Worth a link: neither reader says wrong, one says right, both see events."""
        relations, nodes = ([reading[place] for reading in self.readings] for place in (0, 1))
        return "w" not in relations and "r" in relations and "n" not in nodes

    def share(self, place: int, letter: str) -> float:
        """Of the readers, how many put this letter there."""
        return sum(reading[place] == letter for reading in self.readings) / len(self.readings)


def read_claims(data: Path, language: str) -> list[Claim]:
    """The judged claims, as found in the stream again; their probabilities are not known yet."""
    articles = articles_by_key(data / "news_stream", language)
    claims = []
    for line in (LABELS / f"claims_{language}.tsv").read_text(encoding="ascii").splitlines():
        article, sentence, cause, effect, signals, *readings = line.split("\t")
        text, title = articles[article]["text"], articles[article]["title"]
        spans = split_sentences(text, Language.RUSSIAN if language == "ru" else Language.ENGLISH)
        there = {url_key(one): one for one in (title, " ".join(title.split()), *(text[a:b] for a, b in spans))}
        relation = CausalRelation(_span(cause), _span(effect), tuple(map(_span, signals.split())))
        claims.append(Claim(article, there[sentence], relation, (readings[0], readings[1])))
    return claims


def _span(written: str) -> Span:
    first, end = written.split("-")
    return int(first), int(end)


def with_probabilities(claims: Sequence[Claim], reader: SentenceReader) -> list[Claim]:
    """The claims with the probability that the model gives the relation it finds there; one half where none."""
    texts = sorted({claim.sentence for claim in claims})
    readings = dict(zip(texts, reader.read(texts), strict=True))
    result = []
    for claim in claims:
        known = [one for one in readings[claim.sentence].relations if one.meets(claim.relation)]
        probability = max((one.probability for one in known), default=0.5)
        relation = CausalRelation(claim.relation.cause, claim.relation.effect, claim.relation.signals, probability)
        result.append(Claim(claim.article, claim.sentence, relation, claim.readings))
    return result


def groups_of(claims: Sequence[Claim]) -> Array:
    """Claims of one article, or of one sentence in several articles, are of one group, (claims,)."""
    groups = _Joined()
    for claim in claims:
        groups.join(claim.article, claim.sentence)
    return np.unique([groups.root(claim.article) for claim in claims], return_inverse=True)[1]


def fit_logistic(features: Array, shares: Array, states: int, strength: float) -> tuple[Array, float]:
    """Weights and bias of a regularised logistic regression on shares of yes (0 to 1).

    Args:
        features: (rows, features), the first ``states`` of which are states of the model.
        strength: the smaller, the more the weights are held back.
    """
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    spread[:states] /= DENSE_WEIGHT
    scaled = (features - mean) / spread
    truth = np.repeat([1, 0], len(shares))
    weight = np.concatenate([shares, 1 - shares])
    fitted = LogisticRegression(C=strength, max_iter=2000).fit(np.tile(scaled, (2, 1)), truth, sample_weight=weight)
    weights = fitted.coef_[0] / spread
    return weights, float(fitted.intercept_[0] - weights @ mean)


Fit = Callable[[Array, Array], tuple[Array, float]]

KINDS = {"actual": ((2, 4), "a"), "planned": ((2, 4), "p"), "alone": ((3, 5), "y")}
"""Where in a reading, of the cause and of the effect, which letter says yes."""

STRENGTHS = {"actual": 0.1, "planned": 0.3, "alone": 0.1, "edge": 0.1}


def train_mentions(data: Path, language: str, out: Path) -> None:
    """Write the heads into a sentence model's folder, and name in its ``config.json`` the layer they read.

    Args:
        data: folder of the corpora.
        language: ``en`` or ``ru``.
        out: folder of a calibrated sentence model.
    """
    write_config(out, read_config(out) | {"hidden": HIDDEN[language]})
    model = OnnxModel(out)
    mentions = english_mentions(data, model)[0] if language == "en" else russian_mentions(data, model)
    folds = folds_of_topics(mentions.topics)
    everything = np.arange(len(folds))
    cosines, same = [], []
    for fold in range(FOLDS):
        learnt = train_vectors(mentions, everything[folds != fold])
        vectors = vectors_of(mentions, mentions.views[CLAUSE], learnt)
        near, truth = neighbours(mentions, everything[folds == fold], vectors)
        cosines.append(near)
        same.append(truth)
    (scale,), shift = fit_platt(np.concatenate(cosines)[:, None], np.concatenate(same))
    weights = train_vectors(mentions, everything) | train_probabilities(data, language, model)
    exact = ("span", "edge", "span_bias", "edge_bias")
    saved: dict[str, Any] = {
        name: array.astype(np.float32 if name in exact else np.float16) for name, array in weights.items()
    }
    np.savez_compressed(out / FILE, **saved)
    config = read_config(out)
    calibration = config["calibration"] | {"mention_same_event": {"scale": scale, "shift": shift}}
    write_config(out, config | {"calibration": calibration})


def train_probabilities(data: Path, language: str, model: OnnxModel) -> dict[str, Array]:
    """Learn ``span``, ``edge`` and their biases from the judged claims."""
    claims = with_probabilities(read_claims(data, language), SentenceReader(model))
    states = states_of(model, sorted({claim.sentence for claim in claims}))
    width = len(next(iter(states.values())).whole)
    spans = span_table(claims, states)
    kinds = [fit_logistic(spans, kind_shares(claims, kind), width, STRENGTHS[kind]) for kind in KINDS]
    relations = np.array([edge_features(states[claim.sentence], claim.relation) for claim in claims])
    good = np.array([claim.good for claim in claims], dtype=float)
    edge, bias = fit_logistic(relations, good, 4 * width, STRENGTHS["edge"])
    return {
        "span": np.array([weights for weights, _ in kinds]),
        "span_bias": np.array([bias for _, bias in kinds]),
        "edge": edge,
        "edge_bias": np.array([bias]),
    }


def span_table(claims: Sequence[Claim], states: dict[str, SentenceStates]) -> Array:
    """The features of the claims' causes, then of their effects, (2 claims, features)."""
    causes = [span_features(states[claim.sentence], claim.relation.cause) for claim in claims]
    return np.array(causes + [span_features(states[claim.sentence], claim.relation.effect) for claim in claims])


def kind_shares(claims: Sequence[Claim], kind: str) -> Array:
    """How many of the readers say that the causes, then the effects, are of a kind, (2 claims,), 0 to 1."""
    places, letter = KINDS[kind]
    return np.array([claim.share(place, letter) for place in places for claim in claims])
