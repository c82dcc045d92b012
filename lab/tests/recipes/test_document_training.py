"""A document reader of two layers learns invented articles, and does in ONNX what it did in torch."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install torch 'whywire-lab[train]'")
pytest.importorskip("onnx", reason="training needs onnx: pip install 'whywire-lab[train]'")
pytest.importorskip("transformers", reason="training needs transformers: pip install 'whywire-lab[train]'")

import onnx
import torch
from made_up_documents import articles, tokenizer_of
from onnxruntime import InferenceSession
from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel

from whywire.errors import InputError
from whywire.news import read_row
from whywire.reading.document_reader import DocumentReader, feed_of
from whywire_lab.recipes.base_encoders import Base
from whywire_lab.recipes.document_net import DocumentNet, Shape
from whywire_lab.recipes.document_rows import Document, document, dump, load
from whywire_lab.recipes.documents import make_reader, shape_for
from whywire_lab.recipes.export import four_bits
from whywire_lab.recipes.export_documents import OUTPUTS, ArticleGraph, export_documents
from whywire_lab.recipes.train_documents import (
    DEVICE,
    HELD_OUT,
    Article,
    Batch,
    Pace,
    losses,
    read_arrays,
    save,
    train,
    watched,
)
from whywire_lab.recipes.train_further import net_of, train_further

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("one_thread")]

SHAPE = Shape(
    size=32, layers=2, split=1, span=16, mention=32, pair=16, among=1, context=1, dropout=0.0, spans=8, events=8
)

TOKENIZER = tokenizer_of(own[name] for own, _ in articles() for name in ("title", "text"))


def documents() -> list[Document]:
    return [
        document(article, graph, f"story {number // 2}", TOKENIZER)
        for number, (article, graph) in enumerate(articles())
    ]


def base() -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=TOKENIZER.get_vocab_size(), hidden_size=32, num_hidden_layers=2, num_attention_heads=1,
        intermediate_size=128, max_position_embeddings=512,
    )  # fmt: skip
    state = BertModel(config, add_pooling_layer=False).state_dict()
    numbers, scales = four_bits(state["embeddings.word_embeddings.weight"].numpy())
    packed = numbers.reshape(len(numbers), -1, 32) * scales.astype(np.float32)[..., None]
    return {**state, "embeddings.word_embeddings.weight": torch.from_numpy(packed.reshape(numbers.shape))}


def new_net() -> DocumentNet:
    torch.manual_seed(1)
    made = DocumentNet(TOKENIZER.get_vocab_size(), SHAPE)
    made.start_from(base())
    return made


@pytest.fixture(scope="module")
def net() -> DocumentNet:
    return new_net().to(DEVICE)


def test_rows_are_written_and_read_again(tmp_path) -> None:
    dump(documents(), tmp_path / "docs.jsonl")
    assert load(tmp_path / "docs.jsonl") == documents()


def test_every_mention_of_a_short_article_has_its_tokens() -> None:
    one = documents()[0]
    places = [one.windows[window].place(first, last) for window, first, last, _ in one.mentions]
    assert places == [place for event in one.events for place in event]


def test_the_losses_fall(net) -> None:
    learnt = [Article(one) for one in documents()]
    before = watched(net, learnt, 8)
    assert all(np.isfinite(value) for value in before.values())
    train(net.train(), learnt, Pace(epochs=40, windows=8, warm_up=4, rate=2e-3, head_rate=5e-3, mean=0.9))
    after = watched(net, learnt, 8)
    assert after["span"] < 0.8 * before["span"]
    assert after["link"] < 0.8 * before["link"]
    assert sum(after.values()) < 0.7 * sum(before.values())


def test_losses_of_a_batch_do_not_depend_on_its_order(net) -> None:
    net.eval()
    learnt = [Article(one) for one in documents()[:4]]
    with torch.no_grad():
        one, other = (losses(net, Batch.of(part)) for part in (learnt, learnt[::-1]))
    assert {name: float(value) for name, value in one.items()} == pytest.approx(
        {name: float(value) for name, value in other.items()}, rel=2e-2
    )


def test_the_exported_graph_says_what_the_net_says(net, tmp_path) -> None:
    graph = ArticleGraph(net.cpu()).eval()
    feed = feed_of(documents()[0].windows)
    example = tuple(torch.from_numpy(feed[name]) for name in ("ids", "mask", "sentences"))
    axes = {0: "windows", 1: "tokens"}
    torch.onnx.export(
        graph, example, str(tmp_path / "model.onnx"), input_names=[*feed], output_names=[*OUTPUTS],
        dynamic_axes=dict.fromkeys(feed, axes), opset_version=17, dynamo=False,
    )  # fmt: skip
    session = InferenceSession(str(tmp_path / "model.onnx"), providers=["CPUExecutionProvider"])
    for one in documents()[:6]:
        feed = feed_of(one.windows)
        with torch.no_grad():
            expected = graph(*map(torch.from_numpy, feed.values()))
        for name, ours, theirs in zip(OUTPUTS, session.run([*OUTPUTS], feed), expected, strict=True):
            assert np.allclose(ours, theirs.numpy(), atol=1e-4), name


def test_an_exported_folder_is_a_document_reader(net, tmp_path) -> None:
    config = {
        "base": "made up",
        "thresholds": {"event": 0.3, "same": 0.5, "link": 0.3},
        "calibration": {"link": {"scale": 1.0, "shift": 0.0}},
    }
    lost = export_documents(net, documents(), TOKENIZER, config, tmp_path)
    assert set(lost) == set(OUTPUTS)
    model = onnx.load_from_string(gzip.decompress((tmp_path / "model.onnx.gz").read_bytes()))
    assert "GatherBlockQuantized" in {node.op_type for node in model.graph.node}  # words came in four bits
    reader = DocumentReader.from_pretrained(tmp_path)
    row, _ = articles()[1]
    read, _ = read_row(row)
    logits = reader.logits(read)
    assert len(logits.places) == len(logits.event) == len(logits.links) <= SHAPE.events
    assert all(getattr(read, name)[start:end].strip() for name, start, end in logits.places)
    with torch.no_grad():
        answers = ArticleGraph(net.cpu()).eval()(*map(torch.from_numpy, feed_of(documents()[1].windows).values()))
    expected = dict(zip(OUTPUTS, answers, strict=True))
    assert len(logits.places) == int((expected["window"] >= 0).sum())


def learnt() -> DocumentNet:
    """A net with no two parameters alike, as after training; its embeddings stay."""
    other = new_net()
    torch.manual_seed(2)
    with torch.no_grad():
        for name, own in other.named_parameters():
            if not name.startswith("embeddings.word"):
                own += 0.02 * torch.randn_like(own)
    return other


def test_a_reader_is_trained_further_from_its_folder(tmp_path) -> None:
    trained = learnt()
    export_documents(trained, documents(), TOKENIZER, {}, tmp_path)
    again = net_of(tmp_path, SHAPE)
    for name, own in trained.state_dict().items():
        if own.dim() > 1:  # rounded: a column to 63 levels or to int8
            assert (again.state_dict()[name] - own).norm() <= 0.05 * own.norm(), name
        elif name != "sharp.bias":
            assert torch.allclose(again.state_dict()[name], own, atol=1e-5), name
    before = {name: own.clone() for name, own in again.state_dict().items()}
    kept = documents()[:2]
    pace = Pace(epochs=2, windows=4, rate=1e-3, head_rate=1e-3, warm_up=1)
    train_further(again, documents(), tmp_path / "further", pace=pace, left_out=kept)
    with gzip.open(tmp_path / "further" / HELD_OUT, "rt") as rows:
        assert {json.loads(row)["article"] for row in rows} == {one.id for one in kept}
    moved = {name for name, own in again.state_dict().items() if not torch.equal(own, before[name])}
    assert any(name.startswith("encoder.1.") for name in moved)
    assert not any(name.startswith(("embeddings.", "encoder.0.", "sharp.")) for name in moved)


def test_another_net_is_no_reader_to_go_on_with(tmp_path) -> None:
    export_documents(learnt(), documents(), TOKENIZER, {}, tmp_path)
    with pytest.raises(ValueError, match="written from another net"):
        net_of(tmp_path, replace(SHAPE, layers=3))


def test_saved_weights_are_those_of_the_net_but_for_rounding(net, tmp_path) -> None:
    save(net, tmp_path)
    read = {}
    for path in tmp_path.glob("weights-*.npz"):
        read |= read_arrays(path)
    state = net.cpu().state_dict()
    assert read.keys() == {name for name in state if not name.startswith("embeddings.")}
    for name, value in read.items():
        assert torch.allclose(value, state[name].float(), atol=2e-2 * float(state[name].abs().max() + 1e-6)), name


@pytest.mark.slow
def test_the_recipe_makes_a_reader_from_documents_and_goes_on_where_it_was(tmp_path) -> None:
    pace = Pace(epochs=1, windows=8, warm_up=2)
    scores = make_reader(documents(), base(), TOKENIZER, tmp_path, shape=SHAPE, name="made up", pace=pace)
    assert {"en", "ru"} <= scores.keys()
    assert all(0 <= value <= 1 for language in ("en", "ru") for value in scores[language].values())
    reader = DocumentReader.from_pretrained(tmp_path)
    assert reader.read([read_row(row)[0] for row, _ in articles()[:2]])
    runs = sorted((tmp_path / "runs").rglob("held_out.jsonl.gz"))
    assert [path.parent.name for path in runs] == ["fold-0", "fold-1", "fold-2", "fold-3"]
    before = [path.stat().st_mtime_ns for path in runs]
    model = (tmp_path / "model.onnx.gz").read_bytes()
    make_reader(documents(), base(), TOKENIZER, tmp_path, shape=SHAPE, name="made up", pace=pace)
    assert [path.stat().st_mtime_ns for path in runs] == before
    assert (tmp_path / "model.onnx.gz").read_bytes() == model


def test_only_encoders_that_fit_are_a_base() -> None:
    config = {"vocab_size": 8, "num_hidden_layers": 6, "num_attention_heads": 2, "intermediate_size": 8}
    fitting = BertModel(BertConfig(hidden_size=64, **config))
    assert shape_for(Base("fits", fitting, TOKENIZER)) == Shape(size=64, layers=6, split=4)
    with pytest.raises(InputError, match="heads of 32"):
        shape_for(Base("narrow", BertModel(BertConfig(hidden_size=32, **config)), TOKENIZER))
    other = DistilBertModel(DistilBertConfig(vocab_size=8, dim=32, hidden_dim=8, n_layers=1, n_heads=1))
    with pytest.raises(InputError, match="BERT family"):
        shape_for(Base("other", other, TOKENIZER))
