"""Pairing: pairs that consolidation would make one and the policy keeps back: what waits of them, and what people decide.

Approved, the judgement is kept as if it had never waited; rejected, people's own word that two are two stands for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wikimem.committing import Committed, Writer
from wikimem.core import edits, fold, judgements, memory_diff
from wikimem.core.claims import Claim, Mention
from wikimem.core.cold import Held, is_void, pair_of
from wikimem.core.consolidation import identities
from wikimem.core.edits import Operation, Parted, Split
from wikimem.core.fold import Wiki
from wikimem.core.judgements import Judgement
from wikimem.core.memory_diff import PageDiff
from wikimem.core.subjects import Subject
from wikimem.memory import Memory


def waiting(wiki: Wiki) -> tuple[Held, ...]:
    """The pairs that wait and that nobody decided about, in order of their ids."""
    group, judged = wiki.ground.group, wiki.ground.judged
    held = (one for one in wiki.ground.results if isinstance(one, Held) and not is_void(one, wiki.subjects, group))
    return tuple(sorted((one for one in held if pair_of(one) not in judged), key=lambda one: one.basis))


def judgement(held: Held) -> Judgement:
    """What waits, as it would be kept."""
    one, other = pair_of(held)
    return Judgement((one, other), held.of, held.relation, held.by, held.reason)


def change(remembered: Memory, held: Held) -> tuple[Subject, PageDiff]:
    """The page of a pair, and what the wiki would say otherwise of it."""
    wiki = remembered.wiki
    homes = identities.homes(wiki)
    subjects = [wiki.subjects[key] for key in dict.fromkeys(homes[id] for id in pair_of(held))]
    title = " = ".join(subject.title for subject in subjects)
    every = judgements.settled((*remembered.judged, judgement(held)))
    after = fold.again(wiki, remembered.files.values(), every, wiki.vocabulary, wiki.ground.owners)
    paths = {wiki.path(subject.key) for subject in subjects}
    changes = [one for page in memory_diff.between(wiki, after) if page.path in paths for one in page.changes]
    return subjects[0], PageDiff(wiki.path(subjects[0].key), title, tuple(changes))


def words(wiki: Wiki, held: Held) -> str:
    """What it says of the two, in a sentence."""
    one, other = _two(wiki, held)
    named = [each.name if isinstance(each, Mention) else f"“{each.text}”" for each in (one, other)]
    return f"{named[0]} and {named[1]}: {held.relation.value}"


def approve(writer: Writer, chosen: Sequence[Held]) -> Committed:
    """Take judgements that waited, in one commit; raises as `Writer.rest`."""
    left = tuple(one for one in writer.memory.wiki.ground.results if one not in chosen)
    number = len(chosen)
    about = f"{number} pair{'' if number == 1 else 's'} approved"
    return writer.rest(left, "identities", about, [judgement(one) for one in chosen])


def apart(wiki: Wiki, pairs: Iterable[judgements.Pair], of: str) -> list[tuple[str, Operation]]:
    """People's word that the two of each pair are two, with the page it is about; those that are gone are passed over.

    Args:
        of: `claims` or `mentions`.
    """
    found: list[tuple[str, Operation]] = []
    every = _everything(wiki)
    homes = identities.homes(wiki)
    for pair in pairs:
        match every.get(pair[0]), every.get(pair[1]):
            case (Claim() as one, Claim() as other) if of == "claims":
                found.append((wiki.path(homes[one.id]), Parted(edits.target(one), edits.target(other))))
            case (Mention() as first, Mention() as second) if of == "mentions":
                found.append((wiki.path(homes[first.id]), Split(first, second, ())))
            case _:
                pass
    return found


def _two(wiki: Wiki, held: Held) -> tuple[Claim | Mention, Claim | Mention]:
    every = _everything(wiki)
    one, other = pair_of(held)
    return every[one], every[other]


def _everything(wiki: Wiki) -> dict[str, Claim | Mention]:
    """All claims and all names, by id."""
    found: dict[str, Claim | Mention] = {}
    for subject in wiki.subjects.values():
        for claim in subject.claims:
            found[claim.id] = claim
            found.setdefault(claim.mention.id, claim.mention)
    return found
