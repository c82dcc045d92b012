"""What a text denies, and what only looks like a denial."""

import pytest

from whywire.events.contradictions import denies, may_deny
from whywire.events.denials import (
    denied_by_words,
    is_plea,
    negated_in,
    negates,
    negates_a_happening,
    said,
    states_absence,
    without_outlet,
)

DENIED = [
    ("Ministry dismisses reports of explosion at Larne works as false", "Explosion rocks chemical works in Larne"),
    ("Coach Brill denies quitting Harwich Rovers", "Coach Brill quits Harwich Rovers"),
    ("Brill: I have not quit Harwich Rovers", "Coach Brill quits Harwich Rovers"),
    ("Delmar station bomb was a hoax, police say", "Bomb found at Delmar station"),
    ("Fact check: mayor of Orsk has not been arrested", "Mayor of Orsk arrested over bribes"),
    ("No leak at Tamsin reactor, agency insists", "Reactor leak poisons river in Tamsin"),
    ("Gorm prison riot never happened, governor says", "Prison riot in Gorm leaves guards hurt"),
    ("Norland says no troops crossed border into Sudria", "Norland troops cross border into Sudria"),
    ("Rapper Dex Olo alive, says label", "Rapper Dex Olo killed in shooting"),
    ("Rumours of Rem Oda's death are false", "Jailed activist Rem Oda dies"),
    ("There was no coup in Soltia, president says", "Coup under way in Soltia"),
    ("Hoax: shark was not seen off Tull beach", "Shark seen off Tull beach"),
    ("No, Wye mall was not evacuated", "Wye mall evacuated after threat"),
    ("King of Soltia isn't in a coma, palace says", "King of Soltia in coma"),
    ("Взрыва на АЭС в Лесном не было", "Взрыв на АЭС в Лесном"),
    ("Пожара в порту Ахтар нет, заявили в мэрии", "В порту Ахтар горит склад"),
    ("Слухи о смерти Павла Громова — фейк", "Умер актёр Павел Громов"),
    ("Павел Громов жив, сообщил директор", "Умер актёр Павел Громов"),
    ("В правительстве опровергли задержание губернатора Зимина", "Губернатора Зимина задержали"),
    ("Блогер Носов не арестован, заявил адвокат", "Блогер Носов арестован в Твери"),
    ("Информация о закрытии завода «Маяк» не соответствует действительности", "Завод «Маяк» закрывают"),
    ("Газопровод в Орле не взрывался", "В Орле взорвался газопровод"),
    ("«Вега» отрицает покупку порта Сухой", "Компания «Вега» купила порт Сухой"),
    ("«Это неправда»: в «Салюте» ответили на новость об увольнении Рыбина", "Клуб «Салют» увольняет тренера Рыбина"),
    ("В МЧС назвали фейком информацию о прорыве дамбы в Орске", "Прорвало дамбу в Орске"),
    ("Никакой эвакуации вокзала в Самаре не проводилось", "Вокзал Самары эвакуировали"),
    ("Новость о разводе певицы Лады — вымысел", "Певица Лада развелась"),
    ("Слухи о дефолте банка «Орёл» не подтвердились", "Банк «Орёл» объявил дефолт"),
    ("RETRACTED: Faulty wiring caused blaze at Oakfield Mall", "Faulty wiring caused blaze at Oakfield Mall"),
    ("Gas leak did not cause Norwell blast, officials say", "Gas leak caused blast in Norwell flats"),
    ("Sabotage ruled out in Wexcombe derailment", "Sabotage caused derailment near Wexcombe"),
    ('Minister calls story of his arrest "pure fiction"', "Minister Harlan arrested at airport"),
    ("Government denies plan to raise pension age", "Government plans to raise pension age to 70"),
    ("No evidence of poisoning at Trask plant, inspectors find", "Workers poisoned at Trask plant"),
    ("Not true: Barlow hospital is not closing", "Barlow hospital to close"),
    ("Nobody was killed in Trask mine, owner says", "Three killed in Trask mine"),
    ("Самолёт в Казани никто не захватывал", "В Казани захвачен самолёт"),
    ("Харламов на свободе, сообщения об аресте — ложь", "Министр Харламов арестован"),
    ("Школу в Твери не закроют, пообещали чиновники", "В Твери закроют школу"),
    ("Певица Вела жива и здорова, сообщил её продюсер", "Умерла певица Вела"),
    ("Утечки хлора в Бийске не зафиксировано", "Утечка хлора произошла в Бийске"),
    ("Смог в Омске не связан с заводом", "Смог в Омске вызван выбросами завода"),
    ("Причиной пожара в Клину был не поджог", "Поджог стал причиной пожара в Клину"),
    ("Drought not to blame for Trask fires, study says", "Drought caused Trask fires"),
    ("Замыкание исключили как причину пожара в Клину", "Короткое замыкание вызвало пожар в Клину"),
    ("Museum in Finch: nothing was stolen", "Burglars loot museum in Finch"),
    ("Никто не грабил музей в Клину", "Музей в Клину ограбили"),
    ("Lighthouse at Cape Tull intact, keeper says", "Storm destroys lighthouse at Cape Tull"),
    ("Мост через Иню у Лугов стоит, сообщил староста", "Рухнул мост через Иню у Лугов"),
    ("Singer Dell unharmed, agent says", "Singer Dell hurt in crash"),
    ("Goose, not pilot error, brought down Doria jet", "Pilot error brought down Doria jet"),
    ("Завод в Клину остановили из-за шторма, а не забастовки", "Забастовка остановила завод в Клину"),
]
NOT_DENIED = [
    ("Автобус перевернулся под Рязанью, пострадавших нет", "Автобус перевернулся под Рязанью"),
    ("No survivors after ferry sinks off Pell", "Ferry sinks off Pell with 40 aboard"),
    (
        "Theatre in Oxley emptied by fire alarm: 'I thought it was a false alarm'",
        "Fire alarm empties theatre in Oxley",
    ),
    ("Flood destroys not only school but bridge in Marn", "Flood destroys school in Marn"),
    ("Наводнение разрушило не только школу, но и мост в Устье", "Наводнение разрушило школу в Устье"),
    ("Airport in Keld no longer closed after storm", "Airport in Keld closed by storm"),
    ("Нет сомнений, что склад в Ирбите подожгли", "В Ирбите подожгли склад"),
    ("Journalist denied entry to Norland", "Norland bars journalist from entry"),
    ("No doubt arson caused Pell fire, police say", "Arson caused fire in Pell"),
    ("Record flood hits Arno: 'never seen anything like it'", "Record flood hits Arno"),
    ("Senator Wray found not guilty of fraud", "Senator Wray acquitted of fraud"),
    ("Dentist in Pell jailed over false teeth fraud", "Dentist in Pell jailed for fraud"),
    ("Man jailed for hoax calls to Pell police", "Hoax caller jailed in Pell"),
    ("Two killed, boy found alive after Tarn quake", "Quake in Tarn kills two"),
    ("Retracted landing gear caused crash in Yelm", "Landing gear blamed for crash in Yelm"),
    ("Pilot not hurt as jet crashes near Yelm", "Jet crashes near Yelm"),
    ("No arrests yet after shooting at Wye mall", "Shooting at Wye mall"),
    ("Police have not named victim of Wye mall shooting", "Shooting at Wye mall kills one"),
    ("Court denies bail to mayor of Orsk", "Mayor of Orsk held in custody without bail"),
    ("В Самаре эвакуировали вокзал, бомбу не нашли", "Вокзал Самары эвакуировали"),
    ("Не удалось потушить пожар в порту Ахтар", "Пожар в порту Ахтар"),
    ("Уже не первый взрыв прогремел в Лесном", "Взрыв в Лесном"),
    ("Суд не отпустил блогера Носова под залог", "Блогер Носов арестован в Твери"),
    ("Оштрафован блогер за фейк о взрыве в Лесном", "Блогера из Лесного оштрафовали"),
    ("Дом в Орле взорвался из-за газа, который не отключили", "В Орле взорвался дом"),
    ("Coach Brill quits Rovers: 'It's not about money'", "Coach Brill quits Harwich Rovers"),
    ("Firm that never made a profit goes bankrupt in Pell", "Airline goes bankrupt in Pell"),
    ("В Клину сгорел склад поддельных духов", "В Клину горит склад"),
    ("No tsunami after quake hits Tarn", "Quake hits Tarn"),
    ("Ложный вызов о минировании: в Самаре задержан подросток", "В Самаре задержан подросток за звонок"),
    ("Живой концерт прошёл в Клину", "Концерт прошёл в Клину"),
    ("Police rule nothing out after blast in Trask", "Blast in Trask"),
    ("Water in Orr not safe after spill", "Chemical spill pollutes water in Orr"),
    ("Three dead, none from Norland, in Trask mine", "Three killed in Trask mine"),
    ("Never again, says survivor of Trask fire", "Fire in Trask kills ten"),
    ("Court rejects claims against Kelso over data breach", "Kelso sued over data breach"),
    ("Minister rejects blame for Trask blackout", "Blackout hits Trask"),
    ("Truce falls apart: no end to war in Tarn", "War goes on in Tarn"),
    ("Причина пожара в Клину не установлена", "Пожар в Клину"),
    ("Угрозы взрыва нет: пожар на заводе в Бийске потушен", "Пожар на заводе в Бийске"),
    ("В Уфе ввели комендантский час не для всех", "В Уфе ввели комендантский час"),
    ("Цены не только выросли, но и продолжат расти", "Цены выросли"),
    ("Нельзя не заметить: мост в Перми рухнул", "В Перми рухнул мост"),
    ("Не первый раз: в Перми рухнул мост", "В Перми рухнул мост"),
    ("Finch church intact after storm destroys village", "Storm destroys village church in Finch"),
    ("Fire hits Finch tower, bells intact", "Fire hits Finch tower"),
    ("Tower in Finch intact, mayor says", "Blast at tower in Finch"),
    ("Nothing is known of Finch museum burglars", "Burglars loot museum in Finch"),
    ("Speeding named as cause of Finch tram crash", "Speeding caused tram crash in Finch"),
    ("Сколько стоит мост через Иню", "Рухнул мост через Иню"),
    ("Pump failure in Finch: nothing to worry about", "Pump failure floods street in Finch"),
]


@pytest.mark.parametrize(("denial", "report"), DENIED)
def test_a_denial_denies_the_report_and_not_the_other_way_round(denial: str, report: str) -> None:
    assert denies(denial, report)
    assert not denies(report, denial)


@pytest.mark.parametrize(("one", "other"), NOT_DENIED)
def test_what_says_no_to_something_else_denies_nothing(one: str, other: str) -> None:
    assert not denies(one, other)
    assert not denies(other, one)


def test_a_denial_agrees_with_itself() -> None:
    assert not [denial for denial, _ in DENIED if denies(denial, denial)]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("No explosion at Tull works, owner says", {"explosion"}),
        ("Coach Arden has not been sacked", {"dismissal"}),
        ("King of Tull not in hospital", {"hospi"}),
        ("Взрыва на заводе в Туле не было", {"explosion"}),
        ("На заводе в Туле взрыва не было", {"explosion"}),
        ("На борту самолёта не было пассажиров", {"пасса"}),
        ("Пострадавших на заводе нет", {"постр"}),
        ("Завод не только сгорел", set()),
        ("A bomb, not a leak, destroyed the works", set()),
    ],
)
def test_what_a_negation_negates(text: str, head: set[str]) -> None:
    assert {stem for what in negated_in(text) for stem in what.head} == head


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Owner denies explosion at Tarn works", {"explosion", "tarn", "work"}),
        ("Слухи о пожаре на заводе опровергли в мэрии", {"fire", "завод"}),
        ("Reports of a fire at Tull works are false", set()),
    ],
)
def test_what_a_word_of_denial_denies(text: str, words: set[str]) -> None:
    (what,) = denied_by_words(text)
    assert what.words == words


def test_words_for_one_kind_of_happening_are_one() -> None:
    assert said("blaze") == said("burning") == said("пожаре") == said("горит") == {"fire"}
    assert said("quits") == said("quitting") == said("отставку") == {"resignation"}
    assert said("crossed") == said("crosses") == said("crossing")


@pytest.mark.parametrize(
    ("headline", "bare"),
    [
        ("Слухи о пожаре в Туле — фейк", "Слухи о пожаре в Туле — фейк"),
        ("Fire at Tull works - Tull Post", "Fire at Tull works"),
        ("WITHDRAWN - Leak caused fire at Tull works", "WITHDRAWN - Leak caused fire at Tull works"),
        ("WITHDRAWN - Leak caused fire at Tull works - Tull Post", "WITHDRAWN - Leak caused fire at Tull works"),
    ],
)
def test_what_denies_or_retracts_is_no_name_of_an_outlet(headline: str, bare: str) -> None:
    assert without_outlet(headline) == bare


@pytest.mark.parametrize(
    ("headline", "plea"),
    [
        ("Suspect denies arson at Tull works", True),
        ("Подсудимый отрицает поджог завода", True),
        ("Pilot denies being drunk in Tull crash", True),
        ("Vicar denied that he had set fire to Tull chapel", True),
        ("Baker Ilk pleads not guilty to arson", True),
        ("Lomm says he never stole from the fund", True),
        ("Лесник Жилин отрицает, что отравил колодец", True),
        ("Жилина отрицает, что сама сбила пешехода", True),
        ("Coach Brill denies quitting Harwich Rovers", False),
        ("Brill says he did not resign", False),
        ("Aide denies he was poisoned", False),
        ("Police deny shooting at Wye mall", False),
        ("Vexel denies planning to cut jobs", False),
        ("В мэрии отрицают, что в Уфе отравились школьники", False),
        ("Мэрия отрицает, что рухнул мост", False),
        ("Owner denies arson at Tull works", False),
    ],
)
def test_a_plea(headline: str, plea: bool) -> None:
    assert is_plea(headline) is plea


def test_who_denies_has_a_form_of_denial() -> None:
    both_ways = [pair[::step] for pair in (*DENIED, *NOT_DENIED) for step in (1, -1)]
    assert not [denial for denial, report in both_ways if denies(denial, report) and not may_deny(denial)]


MISSING = [
    "Sorry, no fuel: stations close across Tarn",
    "Tarn has no power after storm",
    "No running water in Tarn schools",
    "No buses in Tarn today",
    "Tarn left without heating for the night",
    "Finch clinic: no doctors, no beds",
    "В Тарне нет топлива",
    "Тарн остался без света после грозы",
    "Горячей воды в Тарне нет",
    "Больница в Тарне без горячей воды",
    "Нет электричек: Тарн добирается пешком",
]


@pytest.mark.parametrize("text", MISSING)
def test_a_missing_supply_is_a_state_and_denies_nothing(text: str) -> None:
    assert states_absence(text)
    assert not negates(text)
    assert not negated_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "No power cut in Tarn, grid operator says",
        "No water was spilled at Tarn works",
        "No fuel leak at Tarn works",
        "Tarn has no plans to cut power",
        "Нет связи пожара с грозой, заявили в Тарне",
        "Отключения воды в Тарне не было",
        "Нет доказательств связи пожара с поджогом",
        "No fire in power station, owner says",
    ],
)
def test_what_did_not_happen_to_a_supply_is_negated(text: str) -> None:
    assert negates(text)
    assert not states_absence(text)


@pytest.mark.parametrize(
    ("text", "happening"),
    [
        ("The mill did not burn", True),
        ("The dam at Tarn has not burst", True),
        ("There was no blast at the mill", True),
        ("Взрыва на заводе не было", True),
        ("Завод в Тарне не горел", True),
        ("Дамбу не прорвало", True),
        ("The driver did not brake", False),
        ("The council refused to open the shelter", False),
        ("No alarm rang", False),
        ("The town had no power", False),
        ("Насосы не включились", False),
        ("Сирена не сработала", False),
        ("В Тарне нет воды", False),
    ],
)
def test_what_did_not_happen_is_told_from_what_somebody_did_not_do(text: str, happening: bool) -> None:
    assert negates_a_happening(text) is happening
