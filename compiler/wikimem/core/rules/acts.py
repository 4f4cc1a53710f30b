"""Acts: what a person does with a sentence: rules, objects, states, asks, supposes, orders, greets. By its words alone.

`objection` says why a sentence says nothing lasting; the tuple `OUT` is asked in order. What passes is weighed by the
marks of a rule or a correction (`weight`). Irony, and tasks that begin like rules, are beyond it.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE
_LEAD_IN = re.compile(
    r"^[\"'“‘(]*(?:(?:ok(?:ay)?|so|and|but|also|well|hm+|mm+k?|k|uh+|um+|oh|ah|hey|yeah|yes|yup|yep|right(?=[,.])|"
    r"fine(?=[,.])|good(?=[,.])|great|thanks|al ?right|sorry|btw|perfect|cool|nice|actually|look|dude|man|whoa|buddy|wait|"
    r"again|now|then|finally|"
    r"of important note|reminder(?: for [\w ]+)?)\b[\s,.!:;…-]*)+",
    _I,
)


def bare(text: str) -> str:
    """A sentence without the words that only begin it."""
    return _LEAD_IN.sub("", text)


_ASKS = re.compile(
    r"^(?:why|what(?!ever)|where|when(?=\s+(?:is|are|do|does|did|will|was))|who|how|which|can|could|would|will|do|does|did|"
    r"is|are|was|were|have|has|should|shall|may|any)\s+(?:\w+\s+)?(?:i|you|we|they|it|he|she|the|this|that|there|these|"
    r"those|our|your|my|is|are|do|does|did|was|were|about|come|of|way)\b",
    _I,
)


def asks(text: str) -> bool:
    """Whether it is a question, with or without its mark."""
    return text.rstrip(" \"'”’)*").endswith("?") or _ASKS.match(bare(text)) is not None


_SUPPOSES = re.compile(
    r"\b(?:what if|suppose|imagine|pretend|hypothetical\w*|in theory|would be (?:nice|good|great|cool|better|lovely)|"
    r"some ?day|one day|maybe|perhaps|possibly|might|not (?:sure|decided|certain)|i (?:guess|suspect|wonder|assume|suppose|"
    r"bet)|presumably|probably|seems?|looks? like|could|undecided|for example|if i were|if we were|wish|let'?s say|"
    r"not yet)\b|^if\b.*\b(?:will|would|could|might|then)\b|\bwould (?:have|be|also|need)\b",
    _I,
)
_JOKES = re.compile(r"\b(?:lol|rofl|lmao|haha\w*|jk|just kidding|kidding|joke|joking)\b|[;:]-?\)|[😂🤣😜😉😅🙃]", _I)
_TELLS_FICTION = re.compile(
    r"\b(?:in|of) (?:my|the|his|her|our|a) (?:(?:short|new|next|first|latest|old) )?(?:novel|story|book|game|movie|film|script|"
    r"screenplay|dream|play|campaign|fiction|poem|song)\b|\brole.?play|"
    r"^(?:(?:now|please|so|ok|okay|well)[\s,]+)*(?:pretend|suppose|supposing|imagine|"
    r"let(?:'?s| us) (?:say|pretend|play|assume|imagine)|"
    r"play the (?:part|role)|assume (?:that )?(?:i|we|you)\b)",
    _I,
)
_REPORTS = re.compile(
    r"\b(?:my|the|our|a|his|her) (?:\w+ )?(?:boss|manager|vendor|client|customer|sister|brother|mother|father|mom|dad|wife|"
    r"husband|friend|neighbou?r|colleague|landlord|landlady|dentist|doctor|lawyer|therapist|teacher|aunt|uncle|cousin|partner|"
    r"leaflet|brochure|website|advert|reviewer|page|article|blog|doc|docs|docstring|comment|plan|paper|description|"
    r"readme|spec)s? (?:says?|said|thinks?|claims?|wrote|writes|told|suggests?|asks?|wants?)\b|\baccording to\b|"
    r"\b(?!we\b|i\b|you\b)\w+ (?:says|said|thinks|claims) (?:he|she|they)\b|"
    r"\bsays (?:that|i|we|you)\b|\b(?:i|you|it) (?:quote|says?:)",
    _I,
)
_TASK = re.compile(
    r"^(?:in [`\w./()-]+,?\s+(?=use\b|add\b|catch\b|make\b|remove\b))?(?:please\s+|pls\s+|can you\s+|go ahead and\s+|just\s+|"
    r"first,?\s+|next,?\s+|then\s+|now\s+|i (?:want|need|would like|"
    r"'?d like) you to\s+|you (?:should|need to|can)\s+(?:now\s+)?)?(?:add|fix|addr?ess|update|remove|rename|run|rerun|show|"
    r"tell|take|look|make|put|move|change|create|implement|proceed|read|re-?read|write|rewrite|explain|check|drop|revert|"
    r"delete|go|try|ensure|find|search|do|re-?do|give|propose|research|plan|design|review|audit|test|build|start|stop|"
    r"continue|commit|push|merge|open|close|compare|consider|investigate|summarize|describe|prepare|list|set|install|import|"
    r"export|refactor|clean|convert|replace|call|pull|think|work|discuss|figure|get|grab|apply|analy[sz]e|debug|verify|"
    r"double|undo|restore|split|extract|simplify|handle|hide|match|help|be sure|let me|notice|note|see|have|include|measure|"
    r"websearch|draft|generate|document|turn|switch|bump|ask|follow|consolidate|ignore|answer|respond|reply|print|log|wait|"
    r"mark|keep|use|bring|expand|finish|complete|wire|hook|cut|trim|pick|rebase|squash|post|catch|pass|return|adjust)\b",
    _I,
)
_STANDING_ORDER = re.compile(
    r"^(?:(?:please|just)\s+)*(?:always|never|don'?t|do not|only|keep|use|ask|follow|avoid|prefer|stop)\b", _I
)
_ONCE_IF_BARE = re.compile(r"^(?:(?:please|just)\s+)*(?:keep|use|stop|avoid|follow)\b", _I)
"""An order of these is for the task at hand, unless it says that it is a rule or gives a reason."""
_LETS = re.compile(r"^(?:let'?s|lets|we'?ll|i'?ll|i will|we will|we(?:'re| are) (?:going|gonna)|i'?m|i am|gonna)\b", _I)
_LOCAL = re.compile(
    r"^(?:i|you|we)\s+(?:(?:just|already|also|still|manually|now|even)\s+)*(?:ran|run|did|didn'?t|tried|tested|got|get|added|"
    r"undid|"
    r"changed|made|fixed|installed|removed|moved|put|see|saw|notice|merged|had|noticed|found|think|thought|believe|pushed|"
    r"updated|created|switched|suggested|asked|said|told|mean|meant|duplicated|are|were|have(?! no\b)|haven'?t|can see|lost|"
    r"rejected|"
    r"approved|gave|forgot|missed|know|understand|love|like|hate|hope|feel|could|can)\b|^i (?:shouldn'?t|need|"
    r"want(?! to keep)|would)\b|^(?:already|done|same|including|whatever|still|here|there (?:is|are|was)|nothing|something|"
    r"another|got)\b|^that(?:'s| is| was| seems| looks) (?:good|fine|great|ok|okay|right|it|better|perfect|true|all|what|"
    r"why|how|the)\b|^(?:looks?|sounds?|seems?) (?:good|fine|great)",
    _I,
)
_TRANSIENT = re.compile(
    r"\b(?:right now|at the moment|currently|for now|so far|just now|today|tonight|this (?:time|session|run|morning|"
    r"afternoon|branch|pr|issue|fix|change|output|log|error|test|session|conversation|commit|diff)|still|didn'?t|wasn'?t|"
    r"weren'?t|did not|again|i mean|that's not it|this happens|as for|i don'?t see|let me|the fix is|even when i|"
    r"when i (?:run|ran|"
    r"remove|try|use)|it'?s fine|"
    r"above|below|the following|as follows|here'?s|here is|here are)\b",
    _I,
)
_POINTS = re.compile(
    r"\b(?:lin|lines?|observations?|issues?|steps?|options?|items?|points?|findings?|rows?|tables?|images?|suggestions?|"
    r"improvements?|phase|number|no\.?|pr|bead|task|ticket)s?\s+#?\d+|\boption [a-h]\b|:\s*\(?\d+[.)]\s|^\(?#?\d+\b|"
    r"\bfor #?\d+\b|#\d+\b|/(?:Users|home|tmp|var/folders)/|\b[0-9a-f]{12,}\b|\]\(|https?://\S{40}",
    _I,
)
_FAULT = re.compile(
    r"\b(?:not|nothing|isn'?t|aren'?t|doesn'?t|don'?t|won'?t)\b[^.]{0,30}\b(?:correctly|properly|"
    r"work(?:s|ing)?(?! (?:with|on|for|in|like))|show(?:s|ing)? up)\b|"
    r"\b(?:is|are) (?:wider|bigger|smaller|slower|longer) than the\b|\bkeeps? (?:failing|crashing|showing)\b",
    _I,
)
"""How something fails now: the task is to end it."""
_PASTED = re.compile(r"[\"'\]}]\s*[,:]\s*[\"'\[{]|\\n|\b\w+Error: |\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])\w{20,}")
_OPEN_END = re.compile(r"[:;,(\[{/\\-]$|^\W*$|\b(?:e\.g|i\.e|and|or|but|the|a|an|of|to|like|with|is|are)\.*$", _I)
_NO = re.compile(r"^(?:no+|nope|nah)\b[\s,.!]*(?:man\b[\s,.!…]*)?", _I)
_NO_WORDS = re.compile(r"(?:[A-Za-z][\w'’-]*\W+){3,}")

_NEEDS_DOING = re.compile(
    r"^(?:we|i|you)(?:'ll)? (?:still )?(?:need|want|have|should|must)(?: to)? (?:a|now|also|to|execute|make|update|add|fix|"
    r"change|do|start|move|write|create|implement|look|get|find|go|address|test|review|check|just|the equivalent)\b",
    _I,
)
GENERAL = re.compile(
    r"\b(?:always|never|ever|everywhere|every ?time|from now on|no matter|in general|generally|as a rule|by default|"
    r"prefer(?:red|s|ably)?|convention\w*|standard|typically|normally|at all times|any ?time|in future|each time|whenever|"
    r"no longer|any ?more)\b",
    _I,
)
OURS = re.compile(
    r"\bwe (?:all )?(?:don'?t|don’t|do not|never|always|only|use|prefer|typically|say|call|keep|support|require|allow|"
    r"follow|have no|cannot|can'?t|run|deploy|must|should|shouldn'?t|already|dropped|drop|decided|agreed|do everywhere)\b|"
    r"\bi (?:prefer|don'?t want|always|never want)\b",
    _I,
)
WANTS = re.compile(
    r"\bwe(?:'d| would)? (?:want|like)\b(?! to (?:do|change|move|update|add|fix|use|make|provide|write|start|implement|"
    r"create|look))",
    _I,
)
DECIDES = re.compile(
    r"^(?:let'?s (?:allow|keep|stick|always|never|not|go with|use|avoid|only|require)\b|we(?:'re|’re| are) (?:going to|"
    r"moving|switching|dropping)\b)",
    _I,
)
IDENTITY = re.compile(
    r"^(?:this|it)(?: is|'s|’s) (?:an?|our) (?:[\w-]+ ){0,3}(?:repo|repository|project|library|tool|app|cli|package|service|"
    r"website|monorepo)\b",
    _I,
)
NORM = re.compile(
    r"\b(?:should(?:n'?t|n’t)?|must(?:n'?t)?|needs? to|need(?:s|ed)? (?:tests?|a)|has to|have to|are to|is to|may not|"
    r"cannot|not allowed|supposed to|responsibility|no need|(?:don'?t|don’t|doesn'?t|doesn’t|do not) (?:need|want|have to)|"
    r"wants? (?:to|the|a|all)|never mind|no (?:more )?\w+s (?:to|on|in|without|before|after|until))\b",
    _I,
)
CONTRAST = re.compile(
    r"\b(?:instead of|rather than|in place of|as opposed to|(?:is|are|it'?s)(?:n'?t|n’t)? not?\b.{2,60}\b(?:but|it'?s)|"
    r"not just|only (?:the|if|when|for|on|in)|except|unless|without|redundant|overkill|unnecessary)\b|, not\b|\bNOT\b|"
    r"\bAREN'?T\b|\bISN'?T\b|\bONLY\b|\bALL\b",
)  # Capitals shout; in small letters these words are common.
OBJECTS = re.compile(
    r"^(?:no+\b|nope\b|stop\b|nah\b)|\b(?:wrong|not true|isn'?t true|incorrect|backwards|not (?:right|good|ok|okay)|"
    r"isn'?t (?:right|good)|mistake|garbage|too (?:much|many|broad|wide|long|big|complex)|don'?t (?:call|do|use|touch|add|"
    r"put|edit|change|make|create|commit|push|need|want))\b",
    _I,
)
MANNERS = re.compile(
    r"\b(?:(?:short|brief|concise) (?:answers?|replies|summar\w+)|(?:answers?|replies) (?:short|brief|concise)|"
    r"ask (?:me )?(?:first|before)|you are to ask|no summar(?:y|ies)|(?:don'?t|never) (?:commit|push|merge|"
    r"deploy) (?:without|unless|until|before))\b",
    _I,
)
REASON = re.compile(
    r"\b(?:because|’?'?cause|cuz|since|so that|otherwise|that way|due to|the reason|as it|to (?:be|avoid|reduce|prevent|"
    r"shrink)|(?:doesn'?t|don'?t) matter)\b",
    _I,
)
STATES = re.compile(
    r"\b(?:is|are|isn'?t|aren'?t|has|have|does(?:n'?t)?|can(?:'?t|not)?|uses?|runs?|lives?|belongs?|comes?|goes|means?|"
    r"applies|apply|takes?|works?|happens?|means|defaults?|ships?|requires?|contains?|stays?|reads|returns|gets|takes)\b",
    _I,
)


_TAIL = re.compile(r",\s+(?:so\s+|and\s+|but\s+)?(?:what|why|how|where|who|when|which|is|are|does|do|did|wth|wtf)\b[^,]*\?$", _I)


def statement_before(text: str) -> str:
    """What a sentence states before a question that a comma joins to it; empty if it joins none."""
    found = _TAIL.search(text)
    return text[: found.start()] if found is not None and found.start() >= 25 else ""


def objection(text: str) -> str:
    """Why a sentence says nothing that lasts; empty if nothing speaks against it."""
    core = bare(text)
    if asks(text):
        return "question"
    for name, pattern in OUT:
        if pattern.search(text if name in _WHOLE else core) and not _excused(name, core):
            return name
    order = _NO.sub("", core)
    if _TASK.match(order) and not _STANDING_ORDER.match(order):
        return "task"
    return "" if _NO_WORDS.search(core + " ") else "few words"


def _excused(name: str, core: str) -> bool:
    """Whether a sentence says so plainly what it says that a mark against it does not count."""
    return (name == "supposes" and IDENTITY.search(core) is not None) or (
        name == "of this moment" and MANNERS.search(core) is not None
    )


OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("fiction", _TELLS_FICTION),
    ("supposes", _SUPPOSES),
    ("joke", _JOKES),
    ("report of others", _REPORTS),
    ("of this moment", _LOCAL),
    ("of this moment", _TRANSIENT),
    ("points at something", _POINTS),
    ("tells of a fault", _FAULT),
    ("pasted", _PASTED),
    ("goes on elsewhere", _OPEN_END),
)
"""What takes a sentence out, by name, in order; questions and tasks are told apart by themselves."""

_WHOLE = frozenset({"joke", "points at something", "pasted", "goes on elsewhere"})


def weight(text: str, corrects: bool) -> int:
    """How much a sentence sounds like a rule or a correction; from 3 it does.

    Args:
        text: of the sentence.
        corrects: whether it follows something that the agent did or said.
    """
    core = _NO.sub("", bare(text))
    general = GENERAL.search(core) is not None
    marks = 3 * general + 3 * bool(OURS.search(core)) + 2 * bool(NORM.search(core)) + 2 * bool(WANTS.search(core))
    marks += (
        2 * bool(CONTRAST.search(core))
        + 2 * bool(OBJECTS.search(bare(text)))
        + 3 * bool(MANNERS.search(core))
        + bool(REASON.search(core))
    )
    marks += bool(STATES.search(core)) + 3 * bool(IDENTITY.search(core)) + 2 * bool(DECIDES.search(core))
    bare_order = _ONCE_IF_BARE.match(core) is not None and not (OURS.search(core) or MANNERS.search(core) or REASON.search(core))
    order = _TASK.match(core) is not None and (bare_order or not _STANDING_ORDER.match(core))
    if (order and not general) or (_LETS.match(core) and not DECIDES.match(core)) or _NEEDS_DOING.search(core):
        marks -= 2
    return marks + (1 if corrects and marks >= 2 else 0)
