"""What a text denies, and what only looks like a denial."""

import pytest

from whywire.events.contradictions import denies, may_deny, without_outlet
from whywire.events.denials import denied_by_words, is_plea, negated_in, said

DENIED = [
    ("Ministry dismisses reports of explosion at Larne works as false", "Explosion rocks chemical works in Larne"),
    ("Coach Brill denies quitting Harwich Rovers", "Coach Brill quits Harwich Rovers"),
    ("Brill: I have not quit Harwich Rovers", "Coach Brill quits Harwich Rovers"),
    ("Delmar station bomb was a hoax, police say", "Bomb found at Delmar station"),
    ("Fact check: mayor of Orsk has not been arrested", "Mayor of Orsk arrested over bribes"),
    ("Fact check: no, the mayor of Orsk was not arrested", "Mayor of Orsk arrested over bribes"),
    ("Bexair did not go bankrupt, says owner", "Airline Bexair goes bankrupt"),
    ("Palace: abdication of Queen Ola is untrue", "Queen Ola abdicates"),
    ("No leak at Tamsin reactor, agency insists", "Reactor leak poisons river in Tamsin"),
    ("Video of Ludd bridge collapse is fake", "Bridge collapses in Ludd"),
    ("Gorm prison riot never happened, governor says", "Prison riot in Gorm leaves guards hurt"),
    ("Novatek hasn't sacked chief executive Lind", "Firm Novatek sacks chief executive Lind"),
    ("Norland says no troops crossed border into Sudria", "Norland troops cross border into Sudria"),
    (
        "Reports that Karst vaccine trial was halted are wrong, say doctors",
        "Vaccine trial halted in Karst after deaths",
    ),
    ("Rapper Dex Olo alive, says label", "Rapper Dex Olo killed in shooting"),
    ("Rumours of Rem Oda's death are false", "Jailed activist Rem Oda dies"),
    ("Union rejects claims of strike deal at Pell docks", "Strike deal reached at Pell docks"),
    ("Army rubbishes reports of coup in Soltia", "Coup under way in Soltia"),
    ("There was no coup in Soltia, president says", "Coup under way in Soltia"),
    ("Hoax: shark was not seen off Tull beach", "Shark seen off Tull beach"),
    ("Kestrel Motors debunks rumours of plant closure in Ghent", "Kestrel Motors to close plant in Ghent"),
    ("Police: no shooting at Wye mall", "Shooting at Wye mall"),
    ("No, Wye mall was not evacuated", "Wye mall evacuated after threat"),
    ("Claims of poisoned water in Bray unfounded, mayor says", "Water poisoned in Bray"),
    ("King of Soltia isn't in a coma, palace says", "King of Soltia in coma"),
    ("Ferry Astrid did not sink, owner says", "Ferry Astrid sinks off Pell"),
    ("Взрыва на АЭС в Лесном не было", "Взрыв на АЭС в Лесном"),
    ("На АЭС в Лесном взрыва не произошло", "Взрыв прогремел на АЭС в Лесном"),
    ("Пожара в порту Ахтар нет, заявили в мэрии", "В порту Ахтар горит склад"),
    ("Слухи о смерти Павла Громова — фейк", "Умер актёр Павел Громов"),
    ("Павел Громов жив, сообщил директор", "Умер актёр Павел Громов"),
    ("В правительстве опровергли задержание губернатора Зимина", "Губернатора Зимина задержали"),
    ("Блогер Носов не арестован, заявил адвокат", "Блогер Носов арестован в Твери"),
    ("Информация о закрытии завода «Маяк» не соответствует действительности", "Завод «Маяк» закрывают"),
    ("Газопровод в Орле не взрывался", "В Орле взорвался газопровод"),
    ("Сообщения о снятии сборной Нордии с чемпионата назвали уткой", "Сборная Нордии снялась с чемпионата"),
    ("«Вега» отрицает покупку порта Сухой", "Компания «Вега» купила порт Сухой"),
    ("Сообщение о минировании вокзала в Самаре оказалось ложным", "Заминирован вокзал в Самаре"),
    ("«Это неправда»: в «Салюте» ответили на новость об увольнении Рыбина", "Клуб «Салют» увольняет тренера Рыбина"),
    ("Слухи об уходе тренера Рыбина из «Салюта» опровергли в клубе", "Тренер Рыбин уходит из «Салюта»"),
    ("В МЧС назвали фейком информацию о прорыве дамбы в Орске", "Прорвало дамбу в Орске"),
    ("Мэр Сорокин не подавал в отставку", "Мэр Сорокин подал в отставку"),
    ("Эвакуации на вокзале Самары не было", "Вокзал Самары эвакуировали"),
    ("Никакой эвакуации вокзала в Самаре не проводилось", "Вокзал Самары эвакуировали"),
    ("Стрельбы в школе Ижевска не было, сообщили в МВД", "Стрельба в школе Ижевска"),
    ("Новость о разводе певицы Лады — вымысел", "Певица Лада развелась"),
    ("В Минздраве опровергли вспышку холеры в Туле", "Вспышка холеры в Туле"),
    ("Холеры в Туле нет, заявил Минздрав", "В Туле вспышка холеры"),
    ("Слухи о дефолте банка «Орёл» не подтвердились", "Банк «Орёл» объявил дефолт"),
    ("RETRACTED: Faulty wiring caused blaze at Oakfield Mall", "Faulty wiring caused blaze at Oakfield Mall"),
    ("Gas leak did not cause Norwell blast, officials say", "Gas leak caused blast in Norwell flats"),
    ("Sabotage ruled out in Wexcombe derailment", "Sabotage caused derailment near Wexcombe"),
    ("Airline insists its plane was not hijacked over Doria", "Plane hijacked over Doria"),
    ("Police dismiss rumours of kidnapping at Barlow school", "Girl kidnapped at Barlow school"),
    ("Reports of tiger on loose in Finch turn out to be false", "Tiger on the loose in Finch"),
    ('Minister calls story of his arrest "pure fiction"', "Minister Harlan arrested at airport"),
    ("Harlan was never arrested, lawyer says", "Minister Harlan arrested at airport"),
    ("Zoo says no animals escaped in Finch flood", "Animals escape from zoo in Finch flood"),
    ("Government denies plan to raise pension age", "Government plans to raise pension age to 70"),
    ("Central bank says it did not cut rates", "Central bank cuts rates"),
    ('"I\'m still here": Pop star Vela shuts down death rumours', "Pop star Vela dies in crash"),
    ("Pop star Vela's death hoax debunked by agent", "Pop star Vela dies in crash"),
    ("Vela is alive and well, family confirms", "Pop star Vela dies in crash"),
    ("No evidence of poisoning at Trask plant, inspectors find", "Workers poisoned at Trask plant"),
    ("Company: there was no data breach at Kelso", "Data breach at Kelso exposes millions"),
    ("Kelso says customer data was not stolen", "Hackers steal customer data from Kelso"),
    ("Fake news: Lake Orr dam has not collapsed", "Lake Orr dam collapses"),
    ("Army: reports of captured general untrue", "General Otto captured by rebels"),
    ("Rebels have not captured General Otto, army says", "General Otto captured by rebels"),
    ("Club owner denies he is selling Barlow United", "Barlow United to be sold"),
    ("Not true: Barlow hospital is not closing", "Barlow hospital to close"),
    ("Power company refutes claim that blackout hit Trask", "Blackout hits Trask"),
    ("Village of Tarn was not bombed, ministry says", "Village of Tarn bombed at night"),
    ("Claim that Finch bridge was blown up is a lie, officials say", "Finch bridge blown up"),
    ("Nobody was killed in Trask mine, owner says", "Three killed in Trask mine"),
    ("Никакого теракта в метро Орла не было, заявили в ФСБ", "Теракт в метро Орла"),
    ("Сведения о теракте в Орле не подтвердились", "Теракт в метро Орла"),
    ("В аэропорту Казани опровергли сообщения о захвате самолёта", "В Казани захвачен самолёт"),
    ("Самолёт в Казани никто не захватывал", "В Казани захвачен самолёт"),
    ("Министр назвал слухи о своём аресте ложью", "Министр Харламов арестован"),
    ("Харламов на свободе, сообщения об аресте — ложь", "Министр Харламов арестован"),
    ("Харламова не арестовывали, уточнили в суде", "Министр Харламов арестован"),
    ("Школу в Твери не закроют, пообещали чиновники", "В Твери закроют школу"),
    ("Мост в Перми не рухнул, это фейк", "В Перми рухнул мост"),
    ("Обрушения моста в Перми не произошло", "В Перми рухнул мост"),
    ("Певица Вела не умерла", "Умерла певица Вела"),
    ("Певица Вела жива и здорова, сообщил её продюсер", "Умерла певица Вела"),
    ("Известие о кончине певицы Велы оказалось уткой", "Умерла певица Вела"),
    ("«Северсталь» не будет увольнять рабочих", "«Северсталь» уволит тысячу рабочих"),
    ("Отравления школьников в Уфе не было", "В Уфе отравились школьники"),
    ("В мэрии отрицают, что в Уфе отравились школьники", "В Уфе отравились школьники"),
    ("Данные об утечке хлора в Бийске недостоверны", "Утечка хлора произошла в Бийске"),
    ("Утечки хлора в Бийске не зафиксировано", "Утечка хлора произошла в Бийске"),
    ("МЧС: сообщения о прорыве плотины в Тагиле не соответствуют действительности", "Прорвало плотину в Тагиле"),
    ("Прорыва плотины в Тагиле нет, ситуация спокойная", "Прорвало плотину в Тагиле"),
    ("Банк «Заря» не лишали лицензии", "Банк «Заря» лишили лицензии"),
    ("Центробанк не отзывал лицензию у банка «Заря»", "Центробанк отозвал лицензию у банка «Заря»"),
    ("Тренер Гусев не покидает «Локомотив»", "Тренер Гусев покидает «Локомотив»"),
    ("Это фейк: в Уфе не вводили комендантский час", "В Уфе ввели комендантский час"),
    ("Смог в Омске не связан с заводом", "Смог в Омске вызван выбросами завода"),
    ("Причиной пожара в Клину был не поджог", "Поджог стал причиной пожара в Клину"),
    ("Drought not to blame for Trask fires, study says", "Drought caused Trask fires"),
    ("Study finds vaccine does not cause strokes in Ulmar", "Vaccine causes strokes in Ulmar"),
    ("Замыкание исключили как причину пожара в Клину", "Короткое замыкание вызвало пожар в Клину"),
    ("Barlow Bank: we were not hacked", "Hackers break into Barlow Bank"),
    ("Owner: no pirates had boarded tanker Selma", "Pirates board tanker Selma off Dorn"),
    ("Museum in Finch: nothing was stolen", "Burglars loot museum in Finch"),
    ("Музей в Клину не грабили", "Музей в Клину ограблен"),
    ("Никто не грабил музей в Клину", "Музей в Клину ограбили"),
    ("Lighthouse at Cape Tull intact, keeper says", "Storm destroys lighthouse at Cape Tull"),
    ("Мост через Иню у Лугов стоит, сообщил староста", "Рухнул мост через Иню у Лугов"),
    ("Дамба у села Орлово цела, заявили в МЧС", "Прорвало дамбу у села Орлово"),
    ("Singer Dell unharmed, agent says", "Singer Dell hurt in crash"),
    ("Школьники из Клина невредимы", "Школьники из Клина пострадали в аварии"),
    ("Goose, not pilot error, brought down Doria jet", "Pilot error brought down Doria jet"),
    ("Trask mine shut by power cut, not strike", "Strike shuts Trask mine"),
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
    ("Tull baby food pulled from market over deaths", "Baby food withdrawn from market in Tull after deaths"),
    ("Journalist denied entry to Norland", "Norland bars journalist from entry"),
    ("No doubt arson caused Pell fire, police say", "Arson caused fire in Pell"),
    ("Record flood hits Arno: 'never seen anything like it'", "Record flood hits Arno"),
    ("Senator Wray found not guilty of fraud", "Senator Wray acquitted of fraud"),
    ("Dentist in Pell jailed over false teeth fraud", "Dentist in Pell jailed for fraud"),
    ("Police raid Orn market, seize fake handbags", "Police raid market in Orn"),
    ("Man jailed for hoax calls to Pell police", "Hoax caller jailed in Pell"),
    ("Two killed, boy found alive after Tarn quake", "Quake in Tarn kills two"),
    ("Retracted landing gear caused crash in Yelm", "Landing gear blamed for crash in Yelm"),
    ("Pilot not hurt as jet crashes near Yelm", "Jet crashes near Yelm"),
    ("No arrests yet after shooting at Wye mall", "Shooting at Wye mall"),
    ("Police have not named victim of Wye mall shooting", "Shooting at Wye mall kills one"),
    ("Mayor of Orsk arrested, lawyer says it is not fair", "Mayor of Orsk arrested over bribes"),
    ("Court denies bail to mayor of Orsk", "Mayor of Orsk held in custody without bail"),
    ("Пожар в порту Ахтар потушен, жертв нет", "В порту Ахтар горит склад"),
    ("В Самаре эвакуировали вокзал, бомбу не нашли", "Вокзал Самары эвакуировали"),
    ("Не удалось потушить пожар в порту Ахтар", "Пожар в порту Ахтар"),
    ("Погибли не менее десяти человек при взрыве в Лесном", "Взрыв в Лесном"),
    ("Уже не первый взрыв прогремел в Лесном", "Взрыв в Лесном"),
    ("Суд не отпустил блогера Носова под залог", "Блогер Носов арестован в Твери"),
    ("Жители не могут вернуться домой после пожара в Клину", "Пожар в Клину"),
    ("Оштрафован блогер за фейк о взрыве в Лесном", "Блогера из Лесного оштрафовали"),
    ("Дом в Орле взорвался из-за газа, который не отключили", "В Орле взорвался дом"),
    ("Coach Brill quits Rovers: 'It's not about money'", "Coach Brill quits Harwich Rovers"),
    ("Storm never seen before batters Pell", "Storm batters Pell"),
    ("Firm that never made a profit goes bankrupt in Pell", "Airline goes bankrupt in Pell"),
    ("Bexair goes bankrupt, passengers not refunded", "Airline Bexair goes bankrupt"),
    ("False alarm sparks panic at Oxley theatre", "Panic at Oxley theatre after alarm"),
    ("В Клину сгорел склад поддельных духов", "В Клину горит склад"),
    ("Quake in Tarn kills 40; no tsunami warning", "Quake hits Tarn"),
    ("No tsunami after quake hits Tarn", "Quake hits Tarn"),
    ("Ложный вызов о минировании: в Самаре задержан подросток", "В Самаре задержан подросток за звонок"),
    ("Живой концерт прошёл в Клину", "Концерт прошёл в Клину"),
    ("No injuries reported after bus crash in Finch", "Bus crashes in Finch"),
    ("Plane lands safely in Doria after engine fire, no one hurt", "Engine fire forces plane to land in Doria"),
    ("Police rule nothing out after blast in Trask", "Blast in Trask"),
    ("Barlow United not happy with referee after defeat", "Barlow United lose to Finch"),
    ("Harlan arrested; he was not handcuffed", "Minister Harlan arrested at airport"),
    ("Residents told not to drink water after spill in Orr", "Chemical spill pollutes water in Orr"),
    ("Water in Orr not safe after spill", "Chemical spill pollutes water in Orr"),
    ("Three dead, none from Norland, in Trask mine", "Three killed in Trask mine"),
    ("Fire in Trask not under control", "Fire in Trask spreads"),
    ("Fire still not out in Trask", "Fire in Trask spreads"),
    ("Trask fire could not have been prevented, expert says", "Fire in Trask spreads"),
    ("Three months after Finch flood, victims have not been paid", "Flood hits Finch"),
    ("Never again, says survivor of Trask fire", "Fire in Trask kills ten"),
    ("Central bank cuts rates, not for the last time", "Central bank cuts rates"),
    ("Shop owner in Finch fined for fake perfume", "Finch shop owner fined"),
    ("Court rejects claims against Kelso over data breach", "Kelso sued over data breach"),
    ("Minister rejects blame for Trask blackout", "Blackout hits Trask"),
    ("False nails caused allergy in Finch, doctors warn", "Nail allergy spreads in Finch"),
    ("Truce falls apart: no end to war in Tarn", "War goes on in Tarn"),
    ("Пострадавших при пожаре в Клину нет", "Пожар в Клину"),
    ("Причина пожара в Клину не установлена", "Пожар в Клину"),
    ("Пожар в Клину не могут потушить вторые сутки", "Пожар в Клину"),
    ("Погода не помешала параду в Орле", "Парад прошёл в Орле"),
    ("Рейс задержали, пассажиров не кормили", "Рейс задержали в Орле"),
    ("Угрозы взрыва нет: пожар на заводе в Бийске потушен", "Пожар на заводе в Бийске"),
    ("Банк «Заря» лишили лицензии, вкладчики не пострадали", "Банк «Заря» лишили лицензии"),
    ("В Уфе ввели комендантский час не для всех", "В Уфе ввели комендантский час"),
    ("Живые цветы принесли к школе в Уфе", "Школу в Уфе закрыли"),
    ("Цены не только выросли, но и продолжат расти", "Цены выросли"),
    ("Нельзя не заметить: мост в Перми рухнул", "В Перми рухнул мост"),
    ("За ложные сведения о доходах уволен чиновник в Твери", "В Твери уволен чиновник"),
    ("Мост в Перми рухнул, движения нет", "В Перми рухнул мост"),
    ("Не первый раз: в Перми рухнул мост", "В Перми рухнул мост"),
    ("Министр Харламов арестован и не признаёт вину", "Министр Харламов арестован"),
    ("Finch church intact after storm destroys village", "Storm destroys village church in Finch"),
    ("Fire hits Finch tower, bells intact", "Fire hits Finch tower"),
    ("Tower in Finch intact, mayor says", "Blast at tower in Finch"),
    ("Truck driver unhurt as passengers injured in Finch", "Truck driver hurt in Finch"),
    ("Nothing is known of Finch museum burglars", "Burglars loot museum in Finch"),
    ("Speeding named as cause of Finch tram crash", "Speeding caused tram crash in Finch"),
    ("Замыкание назвали как причину пожара в Клину", "Короткое замыкание вызвало пожар в Клину"),
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


@pytest.mark.parametrize("denial", sorted({denial for denial, _ in DENIED}))
def test_a_denial_agrees_with_itself(denial: str) -> None:
    assert not denies(denial, denial)


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
        ("Nurse Alda Orm denies poisoning patients", True),
        ("Pilot denies being drunk in Tull crash", True),
        ("Vicar denied that he had set fire to Tull chapel", True),
        ("Baker Ilk pleads not guilty to arson", True),
        ("Lomm says he never stole from the fund", True),
        ("Лесник Жилин отрицает, что отравил колодец", True),
        ("Лесник Жилин отрицает, что поджёг амбар", True),
        ("Жилина отрицает, что сама сбила пешехода", True),
        ("Повар заявил, что не травил гостей", True),
        ("Coach Brill denies quitting Harwich Rovers", False),
        ("Brill says he did not resign", False),
        ("Officials deny that acid was dumped in Orm river", False),
        ("Aide denies he was poisoned", False),
        ("Police deny shooting at Wye mall", False),
        ("Vexel denies planning to cut jobs", False),
        ("Мэр отрицает, что подал в отставку", False),
        ("В мэрии отрицают, что в Уфе отравились школьники", False),
        ("Мэрия отрицает, что рухнул мост", False),
        ("Owner denies arson at Tull works", False),
        ("В мэрии отрицают поджог завода", False),
    ],
)
def test_a_plea(headline: str, plea: bool) -> None:
    assert is_plea(headline) is plea


@pytest.mark.parametrize(("one", "other"), [*DENIED, *NOT_DENIED])
def test_who_denies_has_a_form_of_denial(one, other):
    for denial, report in ((one, other), (other, one)):
        assert may_deny(denial) or not denies(denial, report)
