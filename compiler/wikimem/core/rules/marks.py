"""Marks: how much a sentence of talk holds, by the words that tell of something: did, has, plans, likes, when, where, who.

What only those see who talk, praise, mottoes and moods weigh against it. Not a parser: a sentence is weighed as a bag of
patterns, and the patterns were chosen on talk between friends.
"""

from __future__ import annotations

import re

from wikimem.core import people
from wikimem.core.rules import acts, dates, sentences
from wikimem.core.rules.lexicon import words as listed
from wikimem.core.rules.names import proper

ENOUGH = 3
"""From here on a sentence is worth keeping."""

_I = re.IGNORECASE
DID = re.compile(
    r"\b(?:i|we|i've|we've|i’ve|we’ve|my \w+|our \w+)(?: (?:also|just|even|recently|finally|already|both|once|"
    r"actually))* (?:went|got|made|bought|sold|took|started|stopped|quit|joined|left|moved|met|visited|saw|found|lost|won|"
    r"built|wrote|read|learned|learnt|taught|ran|hosted|attended|finished|completed|launched|opened|closed|applied|passed|"
    r"failed|adopted|married|graduated|painted|drew|cooked|baked|planted|hiked|camped|travell?ed|flew|drove|signed|decided|"
    r"volunteered|organi[sz]ed|received|gave|donated|played|performed|created|designed|published|celebrated|watched|tried|"
    r"hurt|broke|been|had|booked|toured|spent|grew|came|called|emailed|set up|turned|used to|retired|hired|registered|"
    r"entered|booked|checked|participated|competed|collected|renovated|fixed|repaired|recommended|shared|posted|recorded|"
    r"interviewed)\b",
    _I,
)
_IS = re.compile(
    r"\b(?:i'?m|i am|i’m|we'?re|we are) (?:\w+ing|a|an|the|from|into|allergic|afraid|married|single|engaged|studying|"
    r"working|living|learning|training|thinking of|planning|going|hoping|looking|saving|moving|starting|taking|doing|"
    r"interested|keen|passionate|vegan|vegetarian|writing|reading|building|running|making|considering)\b|\b(?:i|"
    r"we) (?:love|like|enjoy|prefer|hate|live|work|study|own|have|collect|play|want|hope|plan|need|teach|run|believe|"
    r"use)\b(?! (?:that|it|this|to hear|to see|your)\b)|\bmy (?:\w+ ){0,3}(?:is|are|was|were|has|have|loves?|likes?|works?|"
    r"lives?|died|turned)\b|\bmy fav\w*\b|\bi'?ve (?:been|always|had|got|started)\b|\b(?:gonna|going to|want to|"
    r"plan(?:ning)? to|hop(?:e|ing) to|i'?ll|i will|we'?ll)\b",
    _I,
)
_TERSE = re.compile(
    r"^(?:(?:just|still|also|recently|finally|already|even|mostly|currently|only)\s+)*(?:got|been|started|made|went|took|"
    r"finished|"
    r"working on|bought|moved|had|tried|joined|visited|saw|used to|planning (?:to|on|a)|thinking (?:of|about)|"
    r"looking (?:for|into)|"
    r"taking|learning|reading|gonna|going to|doing|researching|trying to|hoping to|practicing|training|building|writing|"
    r"running)\b",
    _I,
)
"""A sentence that leaves out its `I`."""
_GERUND = re.compile(
    r"^(?:\w+ )?\w+ing\b.*\b(?:is|are|was|were|isn't|makes?|made|means|does|gives?|gave|helps?|helped|brings?|can|will|has|"
    r"keeps?|lets|"
    r"shows?|feels?|must)\b",
    _I,
)
"""Where the doing itself is the subject, nobody is told of."""
_CLAUSE = re.compile(r"(?<=\w{2}) (?:and|but|because|'cause|so|since|which|[-–—]) |, ")
_TITLE = re.compile(r"[\"“][A-Z][^\"”]{2,40}[\"”]")
_KIN = re.compile(
    r"\b(?:my|our) (?:\w+ )?(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mom|mum|mother|dad|father|parents|"
    r"sister|brother|sibling|son|daughter|kids?|child(?:ren)?|baby|grand\w+|aunt|uncle|cousin|nephew|niece|friends?|"
    r"roommate|neighbou?r|colleague|boss|coach|mentor|dog|cat|pets?|puppy|kitten|house|home|apartment|car|bike|job|career|"
    r"degree|store|shop|studio|business|team|garden|band|church|school|class|hometown|birthday|wedding|family|book|novel|"
    r"screenplay|script|painting|guitar|piano)\b",
    _I,
)
_THINGS = re.compile(
    r"\b(?:years? old|since|for (?:\d+|a|two|three|four|five|six|seven|ten) (?:years?|months?|weeks?)|every (?:day|week|"
    r"month|year|morning|night|\w+day)|called|named|because|favou?rite|first time|support group|tournament|competition|"
    r"contest|concert|festival|camping|trip|road ?trip|vacation|class(?:es)?|workshop|conference|interview|promotion|"
    r"certificate|exam|marathon|yoga|pottery|volunteer\w*|shelter|charity|adopt\w*|surgery|doctor|hospital|recipe|"
    r"restaurant|beach|mountains?|museum|hike|park|movie|film|series|books?|album|song|game|console)\b",
    _I,
)
_LATELY = re.compile(
    r"\b(?:recently|lately|the other day|this past|last (?:\w+day|night|week|month|year|summer|winter|spring|fall|autumn)|"
    r"a few (?:days|weeks|months|years) ago|this summer)\b",
    _I,
)
_DECIDES = re.compile(
    r"\b(?:we (?:have )?(?:agreed|decided|settled)|(?:then )?it'?s decided|decision:|decided (?:to|that|on)|agreed (?:to|"
    r"that|on)|let'?s (?:go with|do|say|move|keep|target|schedule|aim)|the plan is|we(?:'re| are| will|"
    r"'ll) (?:going to )?(?:ship|launch|release|fork|activate|move|schedule|include|target|merge|remove|drop|postpone|delay|"
    r"start|stop|pilot|use|keep)|i(?:'ll| will) (?:open|write|prepare|send|share|post|create|update|set up|organi[sz]e|"
    r"follow up|take|make|do|review|check|order|import)|action items?|scheduled for|deadline|will (?:be|happen|go) (?:live|"
    r"on|at|in|released|included|activated|scheduled|moved)|is (?:set|planned|scheduled|targeted) (?:for|to)|"
    r"has been (?:merged|released|deployed|launched|updated|moved|approved))\b",
    _I,
)
_NUMBER = re.compile(r"\b\d[\d,.]*\b")
_TERM = re.compile(
    r"\b(?P<name>(?:EIP|ERC|RFC|PEP|CVE|BIP|JEP)[- ]?\d+|[a-z]+net-?\d+|[A-Z][A-Za-z]*net[- ]?\d+|[A-Z]{3,}[A-Z0-9-]*)\b"
)
_NO_TERM = frozenset(listed("LOL OMG BTW IMO FYI USA LGBTQ OK TV DIY NYC CEO PM AM ASAP TBH AND NOT THE YES GPS PC"))
_PRAISE = re.compile(
    r"^(?:lemme|gotta|can'?t wait|wow|aw+|oh|hey|hi|hello|thanks?|thank you|congrats|congratulations|great|cool|nice|awesome|"
    r"amazing|sounds?|"
    r"that'?s|that is|that must|it'?s (?:so|great|awesome|amazing|important|always|really|all|been|good|nice|cool|never|"
    r"definitely|a great)|glad|so (?:glad|happy|cool|proud|true)|good|bye|take care|see you|talk|keep|stay|no (?:problem|"
    r"worries)|you(?:'re|r|'ve|'ll)?\b|your|absolutely|definitely|totally|exactly|agreed|yeah|yep|yup|sure|of course|same|"
    r"let me know|i(?:'ll| will) (?:do (?:my best|some)|see (?:if|what)|keep you|make sure|take good care|"
    r"check|look|let you|send|show|try|definitely|surely|get back)|let me (?:send|show|see|think|tell)|maybe you|"
    r"you (?:should|could|might|may)|"
    r"gonna (?:go with|keep)|now i'?m gonna|can'?t wait to (?:see|hear)|looking forward|hope|"
    r"i(?:'m| am) (?:so |really |super |sure |glad|happy|proud|"
    r"here|always|sorry|excited)|i (?:agree|hope|bet|know|think|guess|feel|totally|can|could|would|appreciate|get|see))",
    _I,
)
_FILLED = re.compile(
    r"\b(?:um+|uh+|you know|kind of|sort of|i mean|like, |basically|whatever|or something)\b|(?:\b\w{1,6}[,…] ){3,}|…|"
    r"\b(\w+),? \1\b",
    _I,
)
GREETS = re.compile(
    r"^(?:(?:w[ho]+a+h?|aw+|hey|hi|hello|oh|ah|wow|yeah|yes|yep|yup|nope|no|thanks|thank you|btw|by the way|well|so|and|"
    r"also|sure|haha|"
    r"plus|ok|actually|but)\b(?: (?:so much|a lot|for asking))?(?:,? [A-Z][a-z]+(?=[,!.]))?[,!.…-]*\s+)+",
    _I,
)
_NAMES = re.compile(r"\b(?:name(?:'s| is|d| was)|names are|called|are [A-Z][a-z]+ and [A-Z]|[A-Z][a-z]+ and [A-Z][a-z]+)\b")
_FAVOURITE = re.compile(
    r"\b(?:my (?:fav\w*|dream|goal|passion|hobby)|i(?:'ll| will) (?:use|take|go with|choose|pick)|i (?:saw|play|know|speak|"
    r"really enjoy|love|enjoy))\b",
    _I,
)
_MOTTO = re.compile(
    r"\b(?:keep(?:ing)? (?:pushing|going|at it|making|it up)|dreams? (?:come|coming) true|make it (?:happen|work)|giv(?:e|"
    r"ing) up|push(?:ing)? "
    r"(?:myself|forward|through|on)|attitude|achieving|each other|hard work|work hard|pay(?:ing|s)? off|motivat\w+|inspir\w+|"
    r"determin\w+|positive|blessed|"
    r"grateful|believ\w+|means (?:a lot|the world)|remind\w*|stay(?:ing)? (?:strong|true|focused)|stop me|challenges?|"
    r"obstacles|success\w*|fulfilling|"
    r"rewarding|cherish\w*|happiness|way to go|love (?:the|that|this|your)|lemme|let'?s (?:keep|make|do)|special moments?|"
    r"memories|"
    r"is key|crucial|vital|well-?being|focus(?:ing|ed)? on|struggl\w+|do my best|rely\w* on|"
    r"gratitude|(?:some|any)thing (?:[\w-]+ )*happened|unexpected|"
    r"(?:ton|tons|lots?|so much|bunch) of fun|(?:had|have|having|was) (?:so much |some |a lot of )?fun\b|a blast|swamped|"
    r"as usual|been a while|"
    r"since we (?:last )?(?:\w+ )?(?:chatted|talked|spoke|met)|chasing|been up to|best effort|safe trip|reach out|"
    r"keep you (?:updated|posted)|special moment|really busy|"
    r"milestone moment|good times?|happened|"
    r"mak(?:e|es|ing) (?:a|an) (?:\w+ )?(?:difference|impact)|(?:so|is|are|really|super) important|wild ride|busy (?:day|"
    r"week|month)|"
    r"positivity|kindness|learning experience|our hearts?|(?:that|this|them|it) too|sorry to hear|"
    r"the best|feels? (?:good|great|like|so)|felt (?:good|great|like|so)|made me feel|so (?:happy|proud|excited|glad)|"
    r"thrilled|amazing|awesome|incredible)\b",
    _I,
)
_YOU = re.compile(r"\b(?:you|your|you're|ya)\b", _I)
_SHOWS = re.compile(
    r"\b(?:check (?:it|this|out|them)|take a look|here'?s|here is|look at|let'?s|this one|(?:pic|photo|picture)s?)\b",
    _I,
)
_THEM = re.compile(r"\b(?:it|him|them|that|this)\b(?! (?:year|month|week|summer|winter|morning|is|was|weekend|past))", _I)
_SHOWN = re.compile(
    r"\b(?:this|these|those) (?!(?:year|month|week|summer|winter|spring|fall|autumn|morning|weekend|past|coming|time|is|was|are|"
    r"were|will|has|can)\b)[a-z]+",
    _I,
)
_HERE = re.compile(r"\bhere\b(?!'s| is| are)", _I)
"""What only those see who talk, such as `this book`."""
_CALLED = re.compile(r"^[A-Z][a-z]+, (?=(?:I|you|we|my|it|that)\b)")
_CALLS = re.compile(r",\s+[A-Z][a-z]+(?=\s*[.!?…]*\s*$)")
_DID_IT = re.compile(
    r"\b[a-z]+(?:ed|ook|ade|ove|ad|ead|ot|ought) (?:it|this|them|that)\b(?! (?:year|month|week|morning|summer|winter))", _I
)
_LOST = re.compile(
    r"\bagainst (?:it|that|this)\b|\b(?:him|his|hers?|their|them)\b|\bthere\b(?! (?:is|are|was|were|will|has|have|'s)\b|"
    r"'s\b)|\b(?:that|those) (?:app|book|place|one|"
    r"game|show|movie|film|event|class|trip|team|song|store|city|person|guy|party|picture|stuff|kind|area|spot)s?\b",
    _I,
)
_TOLD = re.compile(
    r"(?<!^)(?<!\w)[A-Z][a-z]+(?!')|\b(?:who|which|where|someone|somebody|people|everyone|kids?|friends?|students?|another)\b"
)


def _is_lost(text: str) -> bool:
    """Whether a sentence points at somebody, or somewhere, that it did not name before."""
    found = _LOST.search(text)
    if found is None:
        return False
    before = text[: found.start()]
    return _TOLD.search(before) is None and _KIN.search(before) is None


REFUSED = frozenset({"question", "joke", "fiction", "report of others", "few words"})


def weigh(text: str, said: str) -> int:
    """How much a sentence holds; from `ENOUGH` it is worth keeping."""
    core = _CALLS.sub("", ungreeted(text))
    if len(text) > sentences.LONGEST or len(core.split()) < 4 or _why(core) in REFUSED:
        return 0
    terms = [match["name"] for match in _TERM.finditer(core) if match["name"] not in _NO_TERM]
    marks = (
        3 * any(span.moment for span in dates.found(core, said))
        + 2 * bool(_LATELY.search(core))
        + 3 * bool(DID.search(core))
        + 2 * bool(_IS.search(core))
    )
    marks += (
        2 * bool(_KIN.search(core)) + min(2, len(_THINGS.findall(core))) + bool(_NUMBER.search(core)) + 2 * bool(proper(core))
    )
    marks += 2 * (_TERSE.match(core) is not None and not _GERUND.match(core)) + bool(_TITLE.search(core))
    marks += 3 * bool(_DECIDES.search(core)) + 2 * bool(terms) + 2 * bool(_NAMES.search(core))
    told = people.of(core)
    marks += 3 * (told is not None and told.name != "" and not told.kin)
    marks += bool(marks) * (len(core.split()) >= 9) + bool(marks) * bool(_FAVOURITE.search(core))
    marks -= 3 * bool(_PRAISE.match(core)) + 2 * len(_FILLED.findall(core)) + 2 * (_why(core) == "supposes")
    return (
        marks
        - bool(_YOU.search(core))
        - 4 * bool(_HERE.search(core))
        - min(4, 2 * len(_SHOWS.findall(core)))
        - 3 * bool(_SHOWN.search(core))
        - bool(_THEM.search(_CLAUSE.split(core, maxsplit=1)[0]))
        - 3 * bool(_DID_IT.search(core))
        - 3 * _is_lost(core)
        - min(3, 2 * len(_MOTTO.findall(core)))
    )


def _why(text: str) -> str:
    return acts.objection(text)


def ungreeted(text: str) -> str:
    """A sentence without the greeting or the name that it begins with."""
    return _CALLED.sub("", GREETS.sub("", text))


def term(text: str) -> str:
    """The first term with a number, or in capitals, that a sentence names; empty if it names none."""
    return next((match["name"] for match in _TERM.finditer(text) if match["name"] not in _NO_TERM), "")
