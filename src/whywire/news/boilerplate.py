"""Sentences of a page that are no part of its report: adverts, links to other articles, pleas to subscribe.

Which error is worse? To leave out a sentence of the report. So patterns are of what a page says to its readers, and
mostly of how it begins: that somebody signed up for something is news, "Sign up" is an order.
"""

from __future__ import annotations

import re

_BEGINS = (
    r"advert(?:isement|orial)?\s*(?:[:.|—–-]|$)|sponsored (?:content|post|by)\b|sponsored\s*:",
    r"promoted (?:content|by)\b|read (?:more|also|next|the full)\b|see also\s*:|more on this story\b",
    r"related(?: articles?| stor(?:y|ies))?\s*:|(?:also|don[’']t miss|recommended|watch|listen)(?: now)?\s*:",
    r"continue reading\b|(?:click|tap) here\b|subscribe (?:to|now|today|here|for)\b|(?:sign|log) (?:up|in)\b",
    r"follow us\b|like us on\b|share this\b|register (?:now|today|here|for (?:free|our))\b",
    r"join (?:our|us (?:at|on|for|in))\b|download (?:our|the) app\b|get (?:our|the latest)\b|book (?:now|your)\b",
    r"(?:get|buy) (?:your )?(?:free )?tickets?\b|early[- ]bird (?:tickets?|passes|prices?|discounts?)\b",
    r"past (?:disrupts?|events?|summits?|conferences?|editions?) (?:have )?(?:brought|featured|hosted|included)\b",
    r"don[’']t miss out\b|support (?:our|independent) journalism|become a (?:member|subscriber|supporter)\b",
    r"thank you for reading\b|all rights reserved|copyright (?:©|\(c\)|\d{4})|©",
    r"читайте (?:также|ещ[её]|далее|нас|по теме|в нашем)|смотрите также|(?:ещ[её] )?по теме\s*:|материалы по теме",
    r"подробнее\s*:|подписывай(?:тесь|ся)|подпишитесь|оформи(?:те)? подписку|присоединяйтесь|ставьте лайк",
    r"следите за (?:наш|нов)|реклама\s*(?:[:.|—–-]|$)|на правах рекламы|партн[её]рский материал|промокод\b",
    r"спонсор (?:рубрики|материала)|купи(?:те|ть) билет|зарегистрируйтесь|скач(?:айте|ивайте)\b|нажмите\b",
    r"поделитесь\b|поделиться\s*(?:$|[:.]|в )|поддержите нас\b|все права защищены|(?:фото|видео)\s*:",
    r"при (?:перепечатке|использовании материалов)",
)
_ANYWHERE = (
    r"\b(?:our|free|daily|weekly|morning) (?:\w+ ){0,2}newsletters?\b|\bin your inbox\b|\bprivacy policy\b",
    r"\bour (?:app|podcast|(?:telegram|whatsapp) channel)\b|\bterms (?:of (?:use|service)|and conditions apply)\b",
    r"\btickets? (?:are )?(?:on sale now|available here)\b|\bподписывайтесь на\b",
    r"\bнаш(?:у|его|ем|им)? (?:телеграм|telegram|канал|рассылк|паблик)\w*|\bв наш(?:ем|их) (?:телеграм|соцсет)\w*",
)
_PATTERN = re.compile(rf"\W*(?:{'|'.join(_BEGINS)})|.*?(?:{'|'.join(_ANYWHERE)})", re.IGNORECASE | re.DOTALL)


def is_boilerplate(sentence: str) -> bool:
    """Whether a sentence, English or Russian, is of the page and not of its report."""
    return bool(_PATTERN.match(sentence))
