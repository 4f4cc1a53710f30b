"""People: of whom a sentence tells: a relative or friend of somebody, a person by name, or nobody but its speaker.

By words of kinship and acquaintance, and by what only people are or do. Only the beginning of a sentence is read, where its
subject stands: `I met my brother` tells of the speaker, and so does `my brother and I moved`. English only; a name that is
also a product's is taken for the product.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """A person that a sentence tells of, who is not its speaker.

    Args:
        name: as the sentence gives it; empty if it gives none.
        kin: what the person is to somebody (`brother`); empty if that is not said.
        owner: whose: `my`, `her`, or a name; empty without `kin`.
    """

    name: str
    kin: str = ""
    owner: str = ""

    @property
    def is_mine(self) -> bool:
        """Whether the speaker says whose the person is by `my` or `our`."""
        return self.owner in ("my", "our")


KIN = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|ex(?:-\w+)?|mom|mum|mommy|mother|dad|father|parents?|"
    r"(?:step|half-|twin |foster )?(?:sister|brother|mother|father|son|daughter|sibling)s?|(?:\w+)-in-law|kids?|child(?:ren)?|"
    r"baby|twins|grand(?:ma|pa|mother|father|parents?|son|daughter|child(?:ren)?|mom|dad|kids?)|aunt(?:ie|y)?s?|uncles?|"
    r"cousins?|nephews?|nieces?|friends?|best friend|buddy|pal|roommates?|flatmates?|housemates?|neighbou?rs?|colleagues?|"
    r"co-?workers?|team-?mates?|classmates?|boss|manager|coach|mentor|teacher|tutor|professor|doctor|dentist|therapist|lawyer|"
    r"landlord|landlady"
)
_LEADS = (
    r"(?:(?:and|but|so|also|well|oh|hey|yeah|yes|no|plus|btw|by the way|anyway|then|actually|sadly|luckily|fortunately|guess "
    r"what|turns out(?: that)?|apparently|recently|lately|yesterday|today|last (?:\w+day|night|week|weekend|month|year|summer|"
    r"winter|spring|fall|autumn)|this (?:\w+day|morning|week|weekend|month|year|summer)|(?:back )?in (?:19|20)\d\d|in "
    r"(?-i:[A-Z])[a-z]+|on (?-i:[A-Z])[a-z]+day|a few \w+ ago|\w+ (?:days|weeks|months|years) ago)\b[\s,.!:–-]*)*"
)
_NAME = r"(?-i:[A-Z][a-zé]+(?: [A-Z][a-zé]+)?)"
_TOGETHER = re.compile(
    r"^,?\s*(?:\w+ing\b|(?:and|&)\s+(?:(?:my|our)\s+\w+\s+and\s+)?(?:i|me|myself)\b|,?\s*(?:you|i)\b|[:?])", re.IGNORECASE
)
"""After which the speaker is one of those it tells of, the words only called somebody, or what they do is told of."""

_ROLE = (
    r"captain|manager|lead|leader|owner|maintainer|designer|engineer|developer|programmer|director|teacher|professor|boss|"
    r"chair(?:man|woman|person)?|coordinator|moderator|administrator|reviewer|author|architect|analyst|tester|intern|"
    r"student|nurse|doctor|lawyer|contact|contact person|head|founder|co-?founder|ceo|cto|cfo|secretary|treasurer|trainer|"
    r"coach|consultant|accountant|translator|editor|writer|artist|painter|potter|baker|chef|cook|pilot|driver|electrician|"
    r"plumber|carpenter|librarian|" + KIN
)
_RELATIVE = re.compile(
    rf"^{_LEADS}(?P<owner>my|our|her|his|their|(?-i:[A-Z])[a-zé]+['’]s)\s+(?:(?!and\b)[a-z][\w-]*\s+){{0,2}}?(?P<kin>{_ROLE})"
    rf"(?:,?\s+(?P<name>{_NAME})|,? called (?P<called>{_NAME}))?(?:['’]s)?\b(?!-)(?! (?:group|circle|request|zone|list|meeting|"
    rf"name|role|page|account|id)s?\b)(?P<rest>[\s,].*|$)",
    re.IGNORECASE | re.DOTALL,
)
_IS_KIN = re.compile(KIN, re.IGNORECASE)
_AM = r"(?:is|was|became|becomes|will be|has been|['’]s|['’]ll be)(?:\s+(?:now|also|still|currently|again|not))*"
_PERSONAL = re.compile(
    rf"^{_LEADS}(?P<name>{_NAME})\s+(?:next door\s+|from (?-i:[A-Z])\w+\s+)?(?:(?:now|also|still|always|never|just|"
    rf"recently)\s+)*(?:"
    rf"{_AM}\s+(?:the|our|my|your|his|her|their|an?)\s+(?:[\w-]+\s+){{0,3}}?(?:{_ROLE})\b|"
    rf"{_AM}\s+(?:on (?:call|leave|holiday|vacation|parental leave)|in charge|responsible|allergic|afraid|vegan|vegetarian|"
    r"married|engaged|pregnant|retired|sick|moving|leaving|joining|from (?-i:[A-Z])|\d+ years old|getting married)\b|"
    r"(?:moved|moves|is moving|relocated) (?:to|from|into|back|out|in)\b|(?:lives|lived) (?:in|with|near|at)\b|"
    r"(?:works|worked) (?:at|for|as)\b|joins?\b|joined (?:us|the|our)\b|left (?:us|the|our)\b|loves\b|hates\b|dislikes\b|"
    r"prefers\b|enjoys\b|married\b|adopted\b|graduated\b|retired\b|quit\b|takes over\b|took over\b|speaks (?-i:[A-Z])|"
    r"told (?:me|us)\b|(?:and|has) (?:two|three|four|a) (?:kids?|children|sons?|daughters?|dogs?|cats?)\b)",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?i)^(?:i|we|you|they|it|he|she|this|that|these|those|there|here|what|who|which|where|when|why|how|everyone|everybody|"
    r"someone|somebody|nobody|anyone|nothing|something|everything|mine|yours|one|both|all|some|most|many|each|another|life|"
    r"time|today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|code|team|staging|production|prod|nature|music|art|god|mom|mum|dad)\b"
)
_THINGS = re.compile(
    r"(?i)^(?:redis|postgres\w*|sqlite|mysql|mongo\w*|kafka|rabbitmq|docker|podman|kubernetes|terraform|ansible|nginx|react|vue|"
    r"svelte|django|flask|rails|phoenix|python|java|go|rust|ruby|node|kotlin|swift|git|github|gitlab|claude|chatgpt|copilot|"
    r"cursor|codex|gemini|jenkins|stripe|sentry|grafana|prometheus|slack|jira|linear|notion|figma|celery|sidekiq|pytest|jest)\b"
)


_PET = re.compile(
    r"(?i)\b(?:dogs?|cats?|pups?|pupp(?:y|ies)|kittens?|pets?|leash|tails?|paws?|fur|furry|rug|vet|litter|breed|shepherd|"
    r"lab|rabbits?|"
    r"hamsters?|turtles?|horses?|parrots?)\b"
)
"""Who is only named, and sleeps on a rug, is a pet of whoever speaks."""


def of(text: str) -> Told | None:
    """The person that a sentence tells of besides its speaker; None if it tells of none, or of the speaker as well."""
    relative = _RELATIVE.match(text)
    if relative is not None:
        known = relative["name"] or relative["called"] or ""
        # A team has many engineers: only the one who is named is somebody.
        if _TOGETHER.match(relative["rest"]) or not (known or _IS_KIN.fullmatch(relative["kin"])):
            return None
        owner = relative["owner"]
        whose = owner.lower() if owner.lower() in ("my", "our", "her", "his", "their") else re.sub(r"['’]s$", "", owner)
        return Told(known, relative["kin"].lower(), whose)
    named = _PERSONAL.match(text)
    if named is None or _NOBODY.match(named["name"]) or _THINGS.match(named["name"]) or _PET.search(text):
        return None
    return Told(named["name"])


def whose(told: Told, speaker: str) -> str:
    """What a page of a person is called: the name, else whose relative or friend it is (`Sam's brother`).

    Args:
        told: with a name, or with a `kin` whose owner is known: the speaker, or a name.
        speaker: who says it; empty for the user, whose name nobody told.
    """
    if told.name:
        return told.name
    owner = (speaker or "The user") if told.is_mine else told.owner
    return f"{owner}'s {told.kin}"


def is_known(told: Told) -> bool:
    """Whether one can tell of whom it is: by name, by `my`, or by whose relative; `her brother` is nobody's."""
    return bool(told.name) or told.is_mine or (told.owner not in ("", "her", "his", "their"))


_ME = frozenset({"user", "the user", "me", "i"})


def is_third(name: str, speakers: frozenset[str]) -> bool:
    """Whether a person takes no part in a talk.

    Args:
        name: of the person, as a claim has it.
        speakers: the names of those who speak, and what the person who types is called; in any case.
    """
    key = name.casefold().strip()
    known = {part for speaker in speakers for part in (speaker.casefold(), *speaker.casefold().split())}
    return key not in known | _ME and not set(key.split()) <= known
