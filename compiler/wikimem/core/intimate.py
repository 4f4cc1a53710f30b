"""Intimate: what somebody tells of a person's health, belief, love, origin, union, money or trouble with the law, by its words.

Not any mention of such a thing: it must be said of a person, who speaks, is spoken to, is named, or is kin of theirs. So
"my insulin" and "Ines is pregnant" are; "religious about tests", "healthy pods", "technical debt" and "diagnose the crash"
are not. It would rather ask once too often than let a diagnosis through, but not at each second page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_KIN = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|ex|mother|father|mom|mum|dad|parents?|son|daughter|kids?|child|"
    "children|baby|brother|sister|sibling|twin|uncle|aunt|cousin|nephew|niece|grand(?:ma|pa|mother|father|parents|son|daughter)|"
    "friend|colleague|coworker|co-worker|boss|manager|neighbou?r|roommate|flatmate|teammate"
)
_NO_NAME = (
    "The|This|That|These|Those|It|Its|Is|Are|Was|If|When|While|What|Which|Who|Where|Why|How|There|Here|A|An|And|But|Or|So|Not|No|"
    "We|They|Our|My|Your|His|Her|Their|I|You|He|She|Let|Can|Do|Does|Did|Should|Could|Would|Will|May|Today|Yes|Each|Every|Some|Any|All|One|Then|Also|Only|Just|Now|Please|Note|Use|Add|Fix|Build|Test|Page|Server|Service|Code|Error"
)
_NAME = rf"(?!(?:{_NO_NAME})\b)[A-Z][a-zà-ÿ]+(?: [A-Z][a-zà-ÿ]+)?"
_OF_KIN = rf"(?i:(?:my|his|her|their|our|your)\ (?:\w+\ )?(?:{_KIN}))"
_PRONOUN = r"(?i:\b(?:i|he|she|we|they|you))"
_ONE = rf"(?:{_PRONOUN}|\b{_OF_KIN}|\b{_NAME}|\b[Tt]he\ user)"
_MAN = rf"(?:(?i:\b(?:i|he|she|you))|\b{_OF_KIN}|\b{_NAME}|\b[Tt]he\ user)"
"""One person, so that what "we" or "they" (a firm, two services) do is left out."""
_UNNAMED = rf"(?:(?i:\b(?:i|he|she|you))|\b{_OF_KIN})"
"""One person, where a word with a capital may as well be a thing."""
_WHOSE = rf"(?:(?i:\b(?:my|his|her|their|our|your))|\b{_NAME}['’]s|\b{_OF_KIN}['’]s|\b[Tt]he\ user['’]s)"
_OWN = rf"(?:(?i:\b(?:my|his|her))|\b{_NAME}['’]s|\b{_OF_KIN}['’]s)"
_HOW = r"(?:(?:\ |,\ )(?!not\ )[\w-]+){0,2}?"
_BE = r"(?i:['’](?:m|s|re|ve(?:\ \w+)?\ been)|\ (?:am|is|are|was|were|be|been|being|became|got|(?:have|has|had)\ been))"
_HAVE = r"(?i:['’]ve(?:\ got)?|['’]s\ got|\ (?:have|has|had|got|suffer(?:s|ed)?\ from|lives?\ with|struggle[sd]?\ with))"

_ILLNESS = (
    r"(?i:diabetes|epilepsy|asthma|cancer|leuka?emia|hiv|depression|bipolar\ disorder|anxiety(?:\ disorder|\ attacks?)?|"
    r"panic\ attacks?|schizophreni\w+|autism|adhd|ptsd|dyslexia|dementia|alzheimer\w*|parkinson\w*|lupus|arthritis|migraines?|"
    r"multiple\ sclerosis|crohn\w*|hepatitis|tuberculosis|an?\ (?:stroke|heart\ attack|miscarriage|abortion|seizure|"
    r"eating\ disorder|disability|tumou?r|nervous\ breakdown|burn-?out)|seizures|anorexia|bulimia|endometriosis|"
    r"high\ blood\ pressure|chronic\ (?:pain|fatigue|illness)|suicidal\ \w+)\b(?!-)"
)
_MIND = r"(?i:mental\ health|blood\ pressure|health\ problems?|illness|disability|surgery)\b"
_CARE = (
    r"(?i:insulin|medications?|meds|antidepressants?|chemo(?:therapy)?|radiotherapy|dialysis|methadone|therapist|"
    r"psychiatrist|psychotherapist|psychologist|oncologist|gyn(?:a?e)cologist|"
    r"(?:physical\ |physio|psycho)therapy|therapy\ sessions?|"
    r"diagnosis|pregnancy)\b"
)
_STATE = (
    r"(?i:diabetic|epileptic|autistic|bipolar|pregnant|suicidal|hiv[- ]positive|clinically\ depressed|alcoholic|an\ alcoholic|"
    r"in\ therapy|in\ rehab|on\ (?:insulin|medication|antidepressants|chemo|sick\ leave|disability))\b"
)
_FAITH = (
    r"(?i:catholic|protestant|lutheran|muslim|jewish|hindu|buddhist|sikh|mormon|atheist|an\ agnostic|a\ christian|"
    r"(?:devout|practi[sc]ing|born-again|evangelical|orthodox)\ (?:christian|jew)|a\ jew|a\ quaker|an?\ \w+\ christian|"
    r"deeply\ religious|(?:very|not)\ religious)\b(?!\ (?:about|in))"
)
_PARTY = r"(?i:an?\ (?:socialist|communist|marxist|anarchist|republican|democrat|conservative|libertarian))\b(?!\ \w+)"
_LOVE = r"(?i:gay|lesbian|bisexual|transgender|transsexual|asexual|pansexual|queer)\b"
_LOVE_TOO = r"(?i:trans|non-?binary|bi|straight\ and\ married)\b(?!\w|-)(?=\s*(?:[,.;!?]|and\b|$))"
_BORN = (
    r"(?i:(?:an?\ )?(?:latin[oax]|hispanic|roma|african[- ]american|asian[- ]american|native\ american|biracial|mixed[- ]race|"
    r"undocumented|asylum\ seeker))\b"
)
_SKIN = r"(?i:(?:an?\ )?(?:black|white|asian|brown)(?:\ (?:man|woman|guy|person|female|male))?)\b(?=\s*(?:[,.;!?]|and\b|so\b|$))"
_PAY = (
    r"(?i:(?:(?:gross|net|annual|yearly|monthly|base|current|new|old|starting|household|personal|whole|own|huge|big)\ ){0,2}"
    r"(?:salary|pay\ ?checks?|payslips?|wages?|income|debts?|mortgage|credit\ (?:score|rating|card\ debt)|net\ worth|pension|"
    r"student\ loans?|tax\ returns?|bank\ (?:account|balance)|life\ savings|savings\ account|alimony))\b"
    r"(?!(?:\ |-)(?:\w+(?:\ |-))?(?:calculator|tracker|app|page|component|field|table|column|model|schema|service|form|test|api|"
    r"module|class|function|endpoint|data|dataset|csv|input|slider|screen|view|feature|website|site|repo|project|predict\w+)s?\b)"
)
_TROUBLE = r"(?i:arrested|convicted\ (?:of|for)|sentenced\ to|jailed|imprisoned|in\ (?:jail|prison)|on\ (?:parole|probation))\b"

_HEALTH = (
    rf"{_ONE}{_HAVE}{_HOW}\ {_ILLNESS}",
    rf"{_ONE}{_BE}{_HOW}\ (?i:diagnosed\ (?:with|as))\b",
    rf"{_UNNAMED}{_BE}{_HOW}\ (?i:diagnosed)\b",
    rf"{_ONE}{_BE}{_HOW}\ (?i:treated\ for|recovering\ from|allergic\ to\ (?:penicillin|peanuts?|nuts|shellfish|latex))\b",
    rf"{_ONE}{_BE}{_HOW}\ {_STATE}",
    rf"{_UNNAMED}(?:{_BE}|(?i:\ (?:feel|felt)))(?:\ [\w-]+)?\ (?i:depressed|disabled|ill\ with)\b",
    rf"{_ONE}(?i:\ (?:takes?|took|needs?|injects?|sees?|saw|do|does|did|started?|go\ to))(?:\ [\w-]+){{0,2}}?\ {_CARE}",
    rf"{_WHOSE}(?:\ [\w-]+)?\ {_CARE}(?!\ (?:check|probe|endpoint|page|app|tracker|field|table|data))",
    rf"{_WHOSE}(?:\ [\w-]+)?\ {_ILLNESS}",
    rf"{_OWN}(?:\ (?:[\w-]+|own))?\ {_MIND}",
)
_HEALTH_STEMS = (
    "diabet|epilep|asthma|cancer|leuk|hiv|depress|bipolar|anxiety|panic|schizo|autis|adhd|ptsd|dyslex|dementia|alzheim|"
    "parkinson|lupus|arthrit|migraine|sclerosis|crohn|hepatit|tubercul|stroke|heart attack|miscarr|abortion|seizure|"
    "eating disorder|disab|tumo|nervous|burnout|burn-out|anorex|bulim|endometr|blood pressure|chronic|suicid|insulin|"
    "medication|meds|antidep|chemo|radiother|dialys|methad|therap|psych|oncolog|gynecol|gynaecol|diagnos|pregnan|surger|"
    "mental health|ill with|illness|health|alcoholic|rehab|sick leave|treated for|recovering|allergic"
)
_BELIEF = (
    rf"{_ONE}{_BE}{_HOW}\ {_FAITH}",
    rf"{_UNNAMED}{_BE}\ {_PARTY}",
    rf"{_WHOSE}(?:\ \w+)?\ (?i:faith(?!\ in\b)|religion|religious\ \w+|church|mosque|synagogue|parish|rabbi|imam|pastor|"
    r"political\ (?:views?|party))\b",
    rf"{_ONE}(?i:\ (?:converted\ to|observes?|keeps?|celebrates?))\ (?i:islam|judaism|christianity|"
    r"catholicism|buddhism|ramadan|lent|(?:the\ )?sabbath|shabbat)\b",
)
_BELIEF_STEMS = (
    "catholic|protestant|luther|muslim|jew|hindu|buddh|sikh|mormon|atheis|agnostic|christian|quaker|religi|socialist|"
    "communist|marxist|anarchist|republican|democrat|conservative|libertarian|faith|church|mosque|synagog|parish|rabbi|"
    "imam|pastor|political|islam|judais|ramadan|lent|sabbath|shabbat"
)
_LOVES = (
    rf"{_ONE}{_BE}{_HOW}\ {_LOVE}",
    rf"{_UNNAMED}{_BE}\ {_LOVE_TOO}",
    rf"{_WHOSE}(?:\ \w+)?\ {_LOVE}",
    rf"(?:{_UNNAMED}|{_WHOSE})\ [^.!?]{{0,80}}?\bas\ an?\ (?:{_LOVE}|{_FAITH}|{_STATE})",
    rf"{_LOVE}(?:\ \w+){{0,2}}?\ (?i:(?:just\ )?like\ me)\b",
    rf"{_ONE}(?i:\ (?:came|come|comes)\ out\ as)\b",
    rf"{_WHOSE}\ (?i:sexual\w*|sex\ life|gender\ identity|transition\ to\ (?:a\ )?(?:man|woman))\b",
)
_LOVE_STEMS = "gay|lesbian|sexual|transgend|transsex|queer|trans|binary| bi| straight and|out as|sex life|gender|transition"
_ORIGIN = (
    rf"{_ONE}{_BE}\ {_BORN}",
    rf"{_UNNAMED}{_BE}\ {_SKIN}",
    rf"{_WHOSE}\ (?i:ethnic\w*|skin\ colou?r|immigration\ status)\b",
)
_ORIGIN_STEMS = (
    "latin|hispanic|roma|american|biracial|mixed-race|mixed race|undocumented|asylum|black|white|asian|brown|ethnic|skin|"
    "immigration"
)
_UNION = (
    rf"{_ONE}(?:{_BE}|(?i:\ (?:joined|left|belongs?\ to)))(?:\ [\w-]+){{0,4}}?\ "
    r"(?i:(?:trade|labou?r)\ union|union\ (?:member|rep|steward)|works?\ council)\b",
    rf"{_UNNAMED}(?i:\ (?:joined|left|belongs?\ to)|{_BE}(?:\ \w+)?\ a\ member\ of)\ "
    r"(?i:(?:the|my|our|a|his|her)\ (?:\w+\ )?union)\b(?!\ (?:types?|all)\b)",
)
_UNION_STEMS = "union|council"
_MONEY = (
    rf"{_OWN}\ {_PAY}",
    rf"{_MAN}(?i:\ (?:earns?|makes?|made|gets?\ paid|is\ paid|am\ paid|was\ paid|owes?|owed))(?:\ [a-z]+){{0,2}}?\ "
    r"(?:[$€£]\ ?\d|\d[\d.,]*\ ?k?\ ?(?i:[$€£]|eur\b|euros?\b|usd\b|dollars?\b|pounds?\b|a\ (?:year|month|week)\b))",
    rf"{_MAN}{_BE}(?:\ \w+)?\ (?i:(?:deep(?:ly)?\ )?in\ debt|bankrupt|on\ welfare|on\ unemployment\ benefits?)\b",
    rf"{_MAN}(?i:\ (?:filed\ for|went))\ (?i:bankrupt\w*)\b",
)
_MONEY_STEMS = (
    "salar|pay check|paycheck|payslip|wage|income|debt|mortgage|credit|net worth|pension|student loan|tax return|bank|"
    "savings|alimony|earn|make|made|paid|owe|welfare|unemployment"
)
_LAW = (
    rf"{_ONE}{_BE}(?:\ \w+)?\ {_TROUBLE}",
    rf"{_ONE}{_HAVE}\ (?i:an?\ criminal\ record)\b",
    rf"{_OWN}\ (?i:criminal\ record|parole|probation\ officer|custody\ (?:battle|hearing|case)|divorce|lawsuit|passport\ number|"
    r"social\ security\ number|home\ address)\b",
)
_LAW_STEMS = (
    "arrested|convicted|sentenced|jail|imprison|prison|parole|probation|criminal|custody|divorce|lawsuit|passport|"
    "social security|home address"
)


def _group(stems: str, patterns: tuple[str, ...]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    return tuple(stems.split("|")), re.compile("|".join(f"(?:{each})" for each in patterns), re.VERBOSE)


_TOLD = (
    _group(_HEALTH_STEMS, _HEALTH),
    _group(_BELIEF_STEMS, _BELIEF),
    _group(_LOVE_STEMS, _LOVES),
    _group(_ORIGIN_STEMS, _ORIGIN),
    _group(_UNION_STEMS, _UNION),
    _group(_MONEY_STEMS, _MONEY),
    _group(_LAW_STEMS, _LAW),
)
"""Patterns, each with the beginnings of words of which one stands in whatever it finds: nearly all sentences have none."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"'(])|\n+")


_COMMON = frozenset({"earn", "make", "made", "paid", "owe", "bank", "union", "binary", "trans", "skin", "church", "council"})
"""Beginnings of words that are too common to give anything away where they stand alone."""


def tells(text: str) -> bool:
    """Whether a text tells such a thing of a person."""
    return any(True for _ in _found(text))


def traces(text: str) -> frozenset[str]:
    """What of such a text gives it away, wherever else it stands: beginnings of words, case-folded; none if it tells nothing."""
    return frozenset(stem for sentence, stems in _found(text) for stem in stems if stem in sentence and stem not in _COMMON)


def _found(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each sentence that tells something, case-folded, with the beginnings of words of what it tells."""
    for sentence in _SENTENCE.split(text):
        folded = sentence.casefold()
        for stems, pattern in _TOLD:
            if any(stem in folded for stem in stems) and pattern.search(sentence):
                yield folded, stems


def around(text: str, start: int, end: int) -> str:
    """The sentences of a text in which a span of it stands."""
    ends = [0, *(found.end() for found in _SENTENCE.finditer(text)), len(text)]
    return text[max(each for each in ends if each <= start) : min(each for each in ends if each >= end)]
