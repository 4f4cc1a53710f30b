"""Meetings: decisions, dates, positions and promises of a call with several speakers, as anchored quotes. Not the discussion.

What is spoken is full of half sentences, and a transcript by machine hears names wrongly. So a sentence must be whole, with
few fillers, and say something of one of these kinds; a name is taken as a subject only if it is a term with a number,
or comes up several times in the call. What a speaker only thinks is an opinion, and what is so only this week is nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wikimem.core.claims import Kind, Stance
from wikimem.core.rules import acts, conditions, dates, rejections, sentences
from wikimem.core.rules.lexicon import words as listed
from wikimem.core.rules.names import Name, proper
from wikimem.core.rules.standing import placed
from wikimem.core.rules.statements import Statement, Words, quoted
from wikimem.core.views import Spoken, View

SPEAKERS = 3
"""Named speakers that make a chat a meeting."""
SHARE = 0.1
ENOUGH = 4
_SHORTEST = 30
WITH_CONTEXT = 320
"""Characters of a sentence and the one before it that are quoted together."""

_I = re.IGNORECASE
_DECIDES = re.compile(
    r"\b(?:(?:it is|it's|is|then|was|were) decided|decision: |we (?:have |had )?(?:decided|agreed|settled on|concluded)|"
    r"decided to|agreed to|we(?:'ll| will|’ll)(?: not)? (?:not )?(?:include|go with|keep|schedule|ship|remove|drop|delay|"
    r"postpone|accept|reject|decline|target|use|increase|reduce|activate|fork|launch|stop|freeze|cancel|pilot)|will not do|"
    r"we (?:pilot|freeze|ship|drop|stop)|(?:is|are|was|were|be|been) (?:now |officially |therefore )?(?:accepted|rejected|"
    r"declined|scheduled|included|confirmed|approved|removed|dropped|postponed|cancelled|deprecated|merged)|"
    r"let'?s (?:go with|keep|include|remove|target|schedule)|(?:may|must|can) \w+ at (?:most|least)|actions?: )",
    _I,
)
_PLANNED = re.compile(
    r"\b(?:will (?:go live|be (?:live|released|launched|ready|activated|out|available|finished|published|merged|shipped|"
    r"shared|updated)|happen|launch|start|begin|end|fork|ship|run|need|support)|(?:is|are) (?:planned|set|targeted|"
    r"scheduled|expected) (?:for|to)|goes live|going live|deadline|next step|made a release|we (?:released|launched|merged|"
    r"want to have|plan to have)|we can launch|runs? from|plan(?:ned|ning)? (?:is )?to|intention (?:is|was|would be)|"
    r"aim(?:ing)? (?:to|for)|"
    r"target(?:ing)?|was (?:launched|released|activated|updated|finalized|shipped)|(?:has|have) been (?:launched|released|"
    r"activated|updated|finalized|shipped|implemented|fixed))\b",
    _I,
)
_HOLDS = re.compile(
    r"\b(?:(?:in favou?r of|against|opposed to|opposed|supportive of|support(?:s|ing)?|opposes?|prefer(?:s|ence)?|"
    r"propos(?:e|es|ed|al)|recommend(?:s|ed)?|best choice|feel(?:s)? (?:somewhat )?strongly|worry that|one of the (?:issues|"
    r"blockers|problems|objections|requirements|reasons)|concerned about|consensus|not (?:opposed|ready|confident)|"
    r"(?:we )?should (?:not )?be|we should (?:not|also)|must)\b)",
    _I,
)
_PROMISES = re.compile(
    r"^(?:(?:yes|yeah|ok|okay|and|so|sure|then)[\s,.]+)*(?:i|we)(?:'ll| will| am going to|'m going to|’ll| can| set up|"
    r" write| order| import| ask)\s+(?:make|send|share|ping|post|set|open|merge|write|prepare|draft|finish|implement|fix|"
    r"release|follow|create|update|"
    r"publish|test|run|order|import|review|add|the|up)\b",
    _I,
)
_TELLS = re.compile(
    r"\b(?:is|are|was|has|have|needs?|requires?|means|allows?|supports?|takes|adds|removes|reduces|increases|changes|breaks|"
    r"passes|fails|runs?)\b",
    _I,
)
_MODERATES = re.compile(
    r"\b(?:move on|moving on|next up|next (?:we have|item|topic|one)|agenda|any (?:other|more|questions|comments|opinions|"
    r"objections|updates)|in (?:the )?chat|as of now|raised? (?:your |a )?hand|go ahead|anyone|anybody|does (?:anyone|"
    r"someone)|thank(?:s| you)|sounds good|hear me|share (?:my )?screen|mute|the call|this call|next call|last call|"
    r"on the call|good (?:morning|afternoon|evening|point|question)|welcome|comments?|take turns|briefly|quickly|topics?|"
    r"first one|start off|dive|missed|the big one|very short|it was by|apologi[sz]e|final request|i feel like|happening|"
    r"start with|work through|worth|another check|curious|jumping|part of the|tell you|being proposed|questions?|"
    r"talking about|hear about|special day|we(?:'ve| have) (?:two|three|four|a few|one|\d+|got)|said|summary|proceed|"
    r"forward what|easier|outsiders|as we communicated|have an extra|i'm (?:not|mostly|very|just|also|more)|"
    r"i (?:do )?think i|i think we want|understanding|we feel|a decision|the decision (?:was|is|that)|(?:make|"
    r"that) \w* ?decision|first decision|i believe|can we|you (?:want|can|have|had|could|also)|let me|paste|ping|link|"
    r"i (?:saw|see|heard|guess|don't know|lost|forgot|wonder|was wondering|mean|can't|had|understand|agree|know|"
    r"would love)|not sure|(?:i'm|am) wondering)\b",
    _I,
)
_HEDGES = re.compile(r"\b(?:if|assuming|hopefully|i hope|i think|not sure|whether|could|would)\b", _I)
_MOMENT = re.compile(
    r"\b(?:working (?:on|with)|looking (?:at|into)|currently|right now|still|yet|at (?:the moment|this point)|status|"
    r"about to|so far|"
    r"today|tonight|tomorrow|(?:we|i)(?:'ve| have) (?:also )?(?:got|been)|further with|ready soon|most (?:client|of the))\b",
    _I,
)
"""What is so only now: it is no news a week later."""
_OPINES = re.compile(
    r"\b(?:i (?:think|feel|believe|worry|would|prefer|don'?t think)|i'd|i'm (?:in favou?r|against)|imo|imho|in my (?:opinion|"
    r"view)|"
    r"honestly|personally|should(?:n'?t)?|ought to|prefer(?:s|ence)?|in favou?r|opposed|against|flawed|insane|desirable|"
    r"odd|(?:is|as|a|not|really|very) (?:\w+ )*(?:good|nice|great|bad|better|worse|best|wrong|useful|useless|overkill))\b",
    _I,
)
_IT = re.compile(
    r"\b(?:it|them|this|that one|these|those)\b(?! is decided)|\b(?:push|propose|do|include|move|remove|want|call|make|"
    r"take) that\b|"
    r"\bthat (?:as|into)\b",
    _I,
)
_SOME = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|thirty)\b", _I)
_FILLED = re.compile(r"…|\b(?:um+|uh+|you know|kind of|sort of|like,|i mean|basically|whatever|again)\b|\b(\w+),? \1\b|\w-\s", _I)
_PAUSES = re.compile(
    r"\b(?:the|a|an|is|are|of|to|with|we|i|that|in|on|for|had|have|will|be|this|was|it's|then|can|do|from|at|my|our|not|so|"
    r"if|what|which|and|like),\s|, (?-i:And|So|But|The|We|Which|To|Or)\b|\band (?-i:And)\b",
    _I,
)
_FRAGMENT = re.compile(
    r"^(?:because|which|or|where|who|whose|than|for example|like|also because|if|although|though|while|unless|of|to|at|"
    r"in favor)\b|^(?-i:[a-z])|(?:\.\.\.|…)[\"”’]|^[\w -]{2,30}, which is [^,]*$",
    _I,
)
_CUT_OFF = re.compile(r"\b(?:the|an?|to|of|for|with|in|on|at|by|from|into|is|are|was|that)[,.]?(?:…|\.\.\.)\s*$", _I)
"""Before a sentence that goes on after a break, and has lost its beginning."""
_LEANS = re.compile(
    r"^(?:(?:and|but|so|yeah|yes|also|well|then|ok|okay|no)\b[\s,.]*)*(?:it|its|it's|this|that|that's|these|those|they|"
    r"they're|he|she|them|there|there's|these|in (?:this|that|which) case)\b|^(?:and |so )?then we (?:can|could|would|might)\b|"
    r".*(?:\b(?:though|tho|too|as well|either|instead|here)[.!]*$|\b(?:would|is|are) here\b|\bis what\b)",
    _I,
)
_READS = re.compile(
    r"\b(?:had|has|left|made|wrote) a (?:comment|question)\b|\b(?:says|said|asks|asked|wrote|writes|commented|adds)\b.*\bchat\b|"
    r"\breading (?:out|from|\w+'s)\b|\bi(?:'ll| will) read\b|\bi(?:'m| am) reading\b",
    _I,
)
"""Before somebody else's words, which fill the rest of the turn."""
_CALLED = re.compile(
    r"(?:^|[.?!,] )(?P<name>[A-Z][a-zé]+)(?:\?|, (?:do|are|can|you|please|go|would)\b)|\b[Tt]hank(?:s|"
    r" you),? (?P<thanked>[A-Z][a-z]+)|\b(?P<owner>[A-Z][a-z]+)'s (?:proposal|point|comment)"
)
_SETTLED = re.compile(r"^(?:(?:so|and|then|ok|okay)[\s,.]+)*(?:(?:it(?: is|'s) )?decided|decisions?|actions?): ", _I)
_TERM = re.compile(
    r"\b(?P<series>EIP|ERC|RFC|PEP|CVE|BIP|JEP|PR)[- ]?(?P<number>\d+)\b(?![.,]\d)|"
    r"\b(?:[A-Za-z]+-)?[A-Za-z]*(?:[dD]ev|[tT]est)[nN]et[- ]?\d+\b"
)
_NETWORK = re.compile(r"(?:dev|test)net", _I)
_WE = re.compile(r"(?:and |so |but )*(?:we|i(?:'ve| have| had))\b", _I)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|can|cannot|could|should|must|would|may|do|does|did|wants?|needs?|means?|"
    r"allows?|supports?|makes?|takes?|uses?|requires?|runs?|adds?|removes?|decided|agreed|let's|\w+n't)\b|"
    r"'(?:re|ve|ll|d|m)\b|\b(?:i|we|they|you|that|it) \w+|: ",
    _I,
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{2,}\b")
_NO_ACRONYM = frozenset(
    listed(
        "UTC GMT CET EST PST AND NOT THE LOL FYI IMO ETA USA EIP EIPs EIPS ERC PR PRs API APIs EVM EAP EAPS ACDC ACDE ACDT "
        "ACD TBD CEO"
    )
)
_OUT = frozenset({"question", "joke", "fiction", "report of others", "few words", "goes on elsewhere"})


@dataclass(frozen=True, slots=True)
class _Found:
    weight: int
    place: int
    one: Spoken
    words: str


def is_one(view: View) -> bool:
    """Whether several named people speak and nobody else."""
    return len({one.turn.name for one in view.spoken if one.turn.name}) >= SPEAKERS and all(one.is_person for one in view.spoken)


def found(view: View) -> Iterator[Statement]:
    """What a meeting decided, dated, held and promised."""
    known = _known(view)
    best = [item for place, one in enumerate(view.spoken) if (item := _best(one, place, known)) is not None]
    room = max(3, int(SHARE * len(view.spoken)))
    kept = sorted(best, key=lambda item: (-item.weight, item.place))[:room]
    for item in sorted(kept, key=lambda item: item.place):
        yield _statement(view, item, known)


def _known(view: View) -> Mapping[str, int]:
    """The names that come up several times in a call, without those of its speakers."""
    counts: Counter[str] = Counter()
    for one in view.spoken:
        if len(one.words) > 20_000:
            continue
        counts.update(set(_ACRONYM.findall(one.words)) - _NO_ACRONYM)
        name = proper(one.words)
        if name and not name.endswith("ly"):
            counts[name] += 1
    called = {match["name"] or match["thanked"] or match["owner"] for one in view.spoken for match in _CALLED.finditer(one.words)}
    people = {part.casefold().strip("()|@") for one in view.spoken for part in one.turn.name.split()}
    return {
        name: count
        for name, count in counts.items()
        if count >= 3 and name not in called and not people & set(name.casefold().split())
    }


def _best(one: Spoken, place: int, known: Mapping[str, int]) -> _Found | None:
    if len(one.words) > 20_000:
        return None
    best: _Found | None = None
    every = sentences.cut(one.words)
    for number, sentence in enumerate(every):
        if _READS.search(sentence.text):
            break
        if not _SHORTEST <= len(sentence.text) <= sentences.LONGEST:
            continue
        leans = _SETTLED.match(sentence.text) is None and (
            _LEANS.match(sentence.text) is not None or _points(sentence.text, known)
        )
        before = every[number - 1] if number else None
        if leans and (before is None or not _tells_what(before, sentence)):
            continue
        start = before.start if leans and before is not None else sentence.start
        if _CUT_OFF.search(one.words[:start]):
            continue
        weight = _weigh(sentence.text, one.turn.clock, known)
        if weight >= ENOUGH and (best is None or weight > best.weight):
            best = _Found(weight, place, one, one.words[start : sentence.end])
    return best


def _tells_what(before: sentences.Sentence, sentence: sentences.Sentence) -> bool:
    """Whether the sentence before is whole and says what this one points at."""
    text = before.text
    if (
        sentence.end - before.start > WITH_CONTEXT
        or len(text) < _SHORTEST
        or _MOMENT.search(text)
        or _why(text) in _OUT
        or _LEANS.match(text)
    ):
        return False
    return not (_MODERATES.search(text) or _FRAGMENT.match(text) or len(_FILLED.findall(text)) > 1)


def _weigh(text: str, said: str, known: Mapping[str, int]) -> int:
    core = acts.bare(text)
    if _why(text) in _OUT or not _VERB.search(core) or _FRAGMENT.search(text) or _MODERATES.search(text):
        return 0
    settled = _SETTLED.match(core) is not None
    dated = any(span.moment for span in dates.found(core, said))
    kinds = 6 * settled + 4 * bool(_DECIDES.search(core)) + 3 * bool(_PLANNED.search(core)) + 3 * bool(_HOLDS.search(core))
    promises = _PROMISES.match(core) is not None
    kinds += 4 * promises
    name = _name(core, known)
    if promises and not (name or dated):
        return 0
    # How many of what a test network has is no news a week later.
    lasts = name and not _NETWORK.search(name) and not _WE.match(core)
    kinds += 3 * (not kinds and bool(lasts) and _TELLS.search(core) is not None and _SOME.search(core) is not None)
    named = 2 * bool(name) + 2 * dated
    broken = 2 * len(_FILLED.findall(text)) + len(_PAUSES.findall(text))
    if (
        broken > 2
        or _unsettled(core, settled)
        or text.endswith("…")
        or not (settled or (kinds and (named or _SOME.search(core))))
    ):
        return 0
    return kinds + named + bool(_TELLS.search(core)) - broken - 2 * bool(_HEDGES.search(core))


def _unsettled(text: str, settled: bool) -> bool:
    return not settled and _MOMENT.search(text) is not None


def _points(text: str, known: Mapping[str, int]) -> bool:
    """Whether a sentence says `it` of something that it does not name before."""
    found = _IT.search(text)
    return found is not None and not _name(text[: found.start()], known)


def _why(text: str) -> str:
    return acts.objection(text)


def _name(text: str, known: Mapping[str, int]) -> str:
    term = _TERM.search(text)
    if term is not None:
        return f"{term['series']}-{term['number']}" if term["series"] else term[0].replace(" ", "-").lower()
    names = [(place, -len(name), name) for name in known if (place := text.find(name)) >= 0]
    return min(names)[2] if names else ""


def _statement(view: View, item: _Found, known: Mapping[str, int]) -> Statement:
    one = item.one
    told = dates.told(item.words, one.turn.clock)
    name = _name(item.words, known)
    promises = _PROMISES.match(acts.bare(item.words)) is not None
    about = Name("topic", name) if name and not promises else Name("person", one.turn.name, "")
    label = f" on {about.label}" if about.type != "person" else ""
    attribute = "decision" if _DECIDES.search(item.words) else "plan" if promises or _PLANNED.search(item.words) else ""
    thing = rejections.of(item.words)
    turned = rejections.named(thing) if thing not in ("", "it") else None
    planned = turned is None and conditions.planned(item.words)
    if turned is not None:
        about, attribute, label = turned, "decision", f" on {turned.label}, which was considered and rejected"
    elif planned:
        # What may never come to pass is no decision and has no date.
        label, attribute = f"{label}, on a condition", ""
    return Statement(
        "meeting",
        placed(about, view),
        f"{one.turn.name or view.me or 'A speaker'}{label}: {quoted(told.shown)}",
        (Words(one.turn.at, item.words) if planned else Words(one.turn.at, item.words, told.since, told.until),),
        Kind.SEMANTIC,
        # What one of several speakers thinks is not so because it was said.
        Stance.OPINION if not attribute and not planned and _OPINES.search(item.words) else Stance.FACT,
        attribute,
    )
