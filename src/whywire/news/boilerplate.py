"""Sentences of a page that are no part of its report: adverts, links to other articles, pleas to subscribe.

Which error is worse? To leave out a sentence of the report. So patterns are of what a page says to its readers, and
mostly of how it begins: that somebody signed up for something is news, "Sign up" is an order.
"""

from __future__ import annotations

import re

_BEGINS = (
    r"advert(?:isement|orial)?\s*(?:[:.|—–-]|$)|sponsored (?:content|post|by)\b|sponsored\s*:",
    r"promoted (?:content|by)\b|read (?:more|also|next|the full)\b|see also\s*:",
    r"related(?: articles?| stor(?:y|ies))?\s*:|more (?:on this story|from)\b|(?:also|don[’']t miss|recommended|most read|watch(?: now)?|listen(?: now)?)\s*:",
    r"continue reading\b|(?:click|tap) here\b|subscribe (?:to|now|today|here|for)\b|(?:sign|log) (?:up|in)\b",
    r"follow us\b|like us on\b|share this\b|register (?:now|today|here|for (?:free|our))\b|early[- ]bird\b",
    r"join (?:our|us (?:at|on|for|in))\b|download (?:our|the) app\b|get (?:our|the latest)\b|book (?:now|your)\b",
    r"(?:get|buy) (?:your )?(?:free )?tickets?\b|don[’']t miss out\b|support (?:our|independent) journalism",
    r"become a (?:member|subscriber|supporter)\b|past \w+ (?:events? )?(?:have )?(?:brought|featured|hosted)\b",
    r"thank you for reading\b|all rights reserved|copyright\b|©|читайте (?:также|ещ[её]|далее|нас|по теме|в нашем)",
    r"смотрите также|(?:ещ[её] )?по теме\s*:|материалы по теме|подробнее\s*:|подписывай(?:тесь|ся)|подпишитесь",
    r"оформи(?:те)? подписку|присоединяйтесь|следите за (?:наш|нов)|ставьте лайк|реклама\s*(?:[:.|—–-]|$)",
    r"на правах рекламы|партн[её]рский материал|спонсор (?:рубрики|материала)|промокод\b|купи(?:те|ть) билет",
    r"зарегистрируйтесь|скач(?:айте|ивайте)\b|нажмите\b|поделитесь\b|поделиться\b|поддержите нас\b",
    r"все права защищены|при (?:перепечатке|использовании материалов)|(?:фото|видео)\s*:",
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
