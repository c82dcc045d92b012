"""Sentence boundaries: ours (``whywire.news.sentences``) against pysbd and, in Russian, razdel.

``pip install pysbd razdel``, then ``python lab/experiments/sentence_boundaries.py [articles.jsonl …]``. The texts
below are invented, in the style of news, with ``|`` where a sentence ends. Of the files' articles (rows with
``text``) the first two hundred are split by each splitter, for its time and for how many boundaries it shares with
ours.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pysbd
import razdel

from whywire.news import Language, split_sentences

ENGLISH = """
Shares of Alder Corp. rose 4.5 percent.|Analysts had expected less.
Lt. Gen. Mary Ross met Sen. Hale on Tues.|Nobody took notes.
The talks ended at 3 a.m. on Friday.|No deal was reached.
He moved to the U.S. in 1999.|She stayed in the U.K.|Both came back.
Rates rose to 5.25%.|"It hurts," said J. P. Moor of Moor & Sons Ltd.|He sold.
"Did you see it?" asked Dr. Lowe.|Nobody answered.
"We lost everything!" she said.|Her house burned down.
The firm (formerly Hale Inc.) went under.|Its staff left.
Prices fell. . .|Nobody bought.
Prof. A. Brown, Ph.D., spoke at St. Mary's.|It was full.
The bill, H.R. 2034, passed.|It goes to the Senate.
Visit www.example.org for more.|The hotline is open.
Losses reached $3.2 bn. in May.|The board met.
The storm hit at 9 p.m.|Two people died.
What now?|Who pays?|Nobody knows!
The minister said: "I will not resign."|The opposition laughed.
It was No. 1 in Oct. and fell in Nov.|Sales are down.
Mr. and Mrs. Reed sued the city.|They won.
PARIS (AP) — The strike went on.|Trains stood still.
They shut the plant...|Then they sold it.
The gap is approx. 5 km.|Work goes on.
Ms. Li works for Acme Co.|The company denies it.
He was born Jan. 5, 1960.|He died on Sunday.
(The court has not ruled.)|The case goes on.
iPhone sales fell.|eBay gained.
The vote was 5-4.|7 members were absent.
""".strip().splitlines()

RUSSIAN = """
Акции завода выросли на 4,5 проц.|Аналитики ждали меньшего.
Ген. А. И. Орлов встретился с мэром г. Тверь.|Записей нет.
Переговоры кончились в 3 ч. ночи.|Сделки нет.
Он родился в 1960 г. в с. Ивановка.|Позже уехал.
Ставка выросла до 16%.|«Это больно», — сказал И. П. Мохов.|Он продал акции.
«Вы видели?» — спросил врач.|Никто не ответил.
«Мы потеряли всё!» — сказала она.|Дом сгорел.
Ущерб составил 3 млрд руб.|Суд не согласился.
Ущерб составил 3 млрд. руб.|Суд не согласился.
Выплатили по 10 тыс. руб. каждому.|Люди довольны.
Это случилось на ул. Ленина, д. 5, кв. 7.|Жертв нет.
Цены упали…|Никто не покупает.
Акад. Петров и др. учёные возразили.|Их не услышали.
См. рис. 5 и табл. 2.|Там всё видно.
Сайт example.ru не открывается.|Работает телефон.
Что теперь?|Кто платит?|Никто не знает!
Министр сказал: «Я не уйду».|Оппозиция смеётся.
МОСКВА, 3 июня — РИА Новости.|Суд отложил дело.
Завод им. Кирова закрыт.|Рабочие ждут.
Продажи, т. е. выручка, упали.|Так и т. д.|Это всё.
Рост в янв.–фев. составил 2 %.|Это мало.
Погибли 5 чел.|Ещё двое ранены.
Он живёт в США.|Она в РФ.|Оба молчат.
В 2019 г. завод встал.|В 2020 г. его продали.
(Суд ещё не решил.)|Дело идёт.
Вклад до 1,4 млн.|Проценты те же.
""".strip().splitlines()

Splitter = Callable[[str], list[tuple[int, int]]]


def splitters(language: str) -> dict[str, Splitter]:
    """The splitters of a language, each from a text to the spans of its sentences."""
    segmenter = pysbd.Segmenter(language=language, clean=False, char_span=True)
    found: dict[str, Splitter] = {
        "ours": lambda text: split_sentences(text, Language(language)),
        "pysbd": lambda text: [(span.start, span.end) for span in segmenter.segment(text)],
    }
    if language == "ru":
        found["razdel"] = lambda text: [(span.start, span.stop) for span in razdel.sentenize(text)]
    return found


def ends(text: str, spans: list[tuple[int, int]]) -> set[int]:
    """Where sentences end inside of a text, whitespace aside."""
    return {len(text[:end].rstrip()) for _, end in spans} - {len(text.rstrip())}


def main() -> None:
    """Print each splitter's boundaries, right and wrong, its time, and what it shares with ours."""
    for language, texts in (("en", ENGLISH), ("ru", RUSSIAN)):
        for name, split in splitters(language).items():
            right = found = gold = 0
            for marked in texts:
                parts = marked.split("|")
                text = " ".join(parts)
                true = {len(" ".join(parts[:count])) for count in range(1, len(parts))}
                guessed = ends(text, split(text))
                right, found, gold = right + len(true & guessed), found + len(guessed), gold + len(true)
            print(f"{language} {name}: {gold} boundaries, {right} found, {found - right} invented")
    for path in sys.argv[1:]:
        language = Path(path).stem[:2]
        rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        articles = [row["text"] for row in rows if row["text"]][:200]
        size = sum(map(len, articles)) / 1e6
        mine: list[set[int]] = []
        for name, split in splitters(language).items():
            started = time.perf_counter()
            found_ends = [ends(text, split(text)) for text in articles]
            seconds = time.perf_counter() - started
            mine = mine or found_ends
            shared = sum(len(a & b) for a, b in zip(mine, found_ends, strict=True))
            total = sum(map(len, found_ends))
            print(f"{path} {name}: {size / seconds:.2f} MB/s, {total} boundaries, {shared} shared with ours")


if __name__ == "__main__":
    main()
