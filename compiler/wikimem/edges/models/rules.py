"""The built-in model: answers by the rules of `core.rules`, from the inputs as values. Needs no key and no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikimem.core.claims import Claim, Mention
from wikimem.core.consolidation.views import Leading, Reflecting, Relating, Replying
from wikimem.core.evaluation.judging import Judged
from wikimem.core.inquiries import Inquiry
from wikimem.core.questions import Question, Reply
from wikimem.core.solutions import Asked
from wikimem.core.views import View


class Rules:
    """The embedded default; deterministic. `edition` is raised whenever other rules give other claims."""

    name = "rules"
    edition = "3"
    reads_prompts = False

    def ask(self, question: Question) -> Reply:
        """Answer a question; never fails."""
        read = _reading(question)
        if read is not None:
            return Reply(read)
        # Its patterns take a tenth of a second to build, which only a compile should wait for.
        from wikimem.core import rules

        match question.values:
            case View():
                return Reply(rules.extract(question.values))
            case (Claim() as one, Claim() as other):
                return Reply(rules.judge_claims(one, other))
            case (Mention() as one, Mention() as other):
                return Reply(rules.judge_mentions(one, other))
        raise AssertionError(f"a question with other values: {question.task}")


def _reading(question: Question) -> Mapping[str, Any] | None:
    """The reply to a question that only reads what is remembered; None for one about sources or pairs."""
    match question.values:
        case Inquiry():
            from wikimem.core.rules import seeking

            return seeking.step(question.values)
        case Asked():
            from wikimem.core.rules import answering

            return answering.answer(question.values)
        case Judged():
            from wikimem.core.rules import marking

            return marking.mark(question.values)
        case Leading():
            from wikimem.core.rules import leading

            return leading.lead(question.values)
        case Relating():
            from wikimem.core.rules import relating

            return relating.relate(question.values)
        case Replying():
            from wikimem.core.rules import replying

            return replying.reply(question.values)
        case Reflecting():
            from wikimem.core.rules import repeating

            return repeating.reflect(question.values)
    return None
