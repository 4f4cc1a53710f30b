"""The events of a Codex rollout that the interface showed (`event_msg`), read into turns.

Each is asked whether an item told the same before (`codex_items`). From 0.147 on most events are `item_completed` with
an item of its own grammar; the stream of `codex exec --json` (`codex_exec`) has the same in small letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wikimem.core.turns import Form, Noise, Speaker, Turn
from wikimem.edges.importers import codex_items, places
from wikimem.edges.importers.codex_items import Told
from wikimem.edges.importers.places import Place, Taken, encoded, listed, mapping, string

_EVENT = "event"
_QUIET = frozenset(
    [
        "token_count",
        "task_started",
        "task_complete",
        "turn_started",
        "turn_complete",
        "turn.completed",
        "turn_aborted",
        "context_compacted",
        "thread_settings_applied",
        "thread_name_updated",
        "thread_rolled_back",
        "error",
        "warning",
        "stream_error",
        "background_event",
        "guardian_assessment",
        "guardian_warning",
        "sub_agent_activity",
        "session_configured",
        "agent_reasoning_section_break",
        "exec_command_begin",
        "exec_command_output_delta",
        "patch_apply_begin",
        "mcp_tool_call_begin",
        "web_search_begin",
        "image_generation_begin",
        "view_image_tool_call",
        "turn_diff",
        "plan_update",
        "undo_started",
        "undo_completed",
        "collab_agent_spawn_begin",
        "collab_agent_spawn_end",
        "collab_agent_interaction_begin",
        "collab_agent_interaction_end",
        "collab_waiting_begin",
        "collab_waiting_end",
        "collab_close_begin",
        "collab_close_end",
        "collab_resume_begin",
        "collab_resume_end",
        "exec_approval_request",
        "apply_patch_approval_request",
        "request_user_input",
        "elicitation_request",
        "request_permissions",
        "item_started",
        "model_reroute",
        "deprecation_notice",
        "hook_started",
        "hook_completed",
        "terminal_interaction",
        "entered_review_mode",
        "account/rateLimits/updated",
        "codex/event/raw_item",
        "shutdown_complete",
        "conversation_path",
        "mcp_startup_update",
        "mcp_startup_complete",
        "skills_update_available",
        "raw_response_item",
    ]
)


def read(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    """Turns of an event, or why it has none."""
    kind = string(payload.get("type"))
    reader = _READERS.get(kind)
    if reader is None:
        return Noise(f"event_msg:{kind or '?'}", known=kind in _QUIET)
    return reader(place, payload, told)


def _user(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    return codex_items.user(place, [string(payload.get("message"))], told, _EVENT)


def _agent(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    return codex_items.assistant(place, string(payload.get("message")).strip(), told, _EVENT)


def _thought(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    return codex_items.assistant(place, string(payload.get("text")).strip(), told, _EVENT, Form.THINKING)


def _goal(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    text = string(mapping(payload.get("goal")).get("objective")).strip()
    if not text or text == told.goal:
        return Noise("event_msg:thread_goal_updated")
    told.goal = text
    return (place.turn(Speaker.HARNESS, Form.PROSE, text, mark="goal"),)


def _review(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    output = mapping(payload.get("review_output"))
    texts = [string(output.get("overall_explanation"))]
    for finding in listed(output.get("findings")):
        one = mapping(finding)
        texts += [string(one.get("title")), string(one.get("body"))]
    return codex_items.assistant(place, "\n\n".join(text for text in texts if text.strip()), told, _EVENT)


def _tool(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    """The end of a call: its result, and the call itself where no item told it."""
    call = string(payload.get("call_id")) or string(payload.get("callId")) or string(payload.get("id"))
    name, arguments, output = _told(payload)
    turns: list[Turn] = []
    asked = encoded(arguments)
    if told.first(_EVENT, "call", call, name + asked):
        turns.append(place.call(name, asked, call))
    if output is not None:
        text, failed = codex_items.outcome(output)
        failed = failed or payload.get("success") is False or payload.get("status") in ("failed", "declined")
        gave = codex_items.result(place, name, text, call, failed, told, _EVENT)
        if not isinstance(gave, Noise):
            turns += gave
    return tuple(turns) or Noise("told already by an item")


def _told(payload: Mapping[str, Any]) -> tuple[str, object, object]:
    """Name, arguments and output of a tool, as the many kinds of events have them; no output is None."""
    invocation = mapping(payload.get("invocation"))
    if invocation or "server" in payload:
        inner = invocation or payload
        name = f"{string(inner.get('server'))}.{string(inner.get('tool'))}".strip(".")
        outcome = payload.get("result")
        if isinstance(outcome, dict) and ("Ok" in outcome or "Err" in outcome):
            outcome = outcome.get("Ok") or {"content": encoded(outcome.get("Err")), "isError": "Err" in outcome}
        return name, inner.get("arguments"), outcome if outcome is not None else payload.get("error")
    if "command" in payload:
        text = next(
            (told for key in ("aggregated_output", "formatted_output", "stdout") if (told := string(payload.get(key)))), ""
        )
        if "aggregated_output" not in payload and string(payload.get("stderr")):
            text = f"{text}\n{string(payload['stderr'])}".strip("\n")
        ended = payload.get("exit_code") is not None or text
        return "shell", payload["command"], {"content": text, "exitCode": payload.get("exit_code")} if ended else None
    if "changes" in payload:
        shown = "\n".join(part for key in ("stdout", "stderr") if (part := string(payload.get(key))))
        return "apply_patch", payload["changes"], shown or ("" if payload.get("status") or "success" in payload else None)
    name = string(payload.get("tool")) or string(payload.get("kind")) or _NAMES.get(string(payload.get("type")), "?")
    output = next((payload[key] for key in ("content_items", "results", "result") if payload.get(key)), None)
    asked = next((payload[key] for key in ("arguments", "query", "action", "revised_prompt") if payload.get(key)), None)
    return name, asked, output


def _completed(place: Place, payload: Mapping[str, Any], told: Told) -> Taken:
    return item(place, mapping(payload.get("item")), told)


def item(place: Place, one: Mapping[str, Any], told: Told) -> Taken:
    """Turns of an item as 0.147 and `codex exec` tell it."""
    kind = string(one.get("type"))
    flat = kind.replace("_", "").lower()
    text = string(one.get("text")) or places.words(one.get("content"))
    match flat:
        case "usermessage":
            return codex_items.user(place, [text], told, _EVENT)
        case "agentmessage":
            return codex_items.assistant(place, text.strip(), told, _EVENT)
        case "plan":
            return codex_items.assistant(place, text.strip(), told, _EVENT)
        case "reasoning":
            return _reasoned(place, one, text, told)
        case "commandexecution" | "filechange" | "mcptoolcall" | "extension" | "websearch" | "dynamictoolcall":
            return _tool(place, one, told)
        case _:
            return Noise(f"item:{kind or '?'}", known=flat in _QUIET_ITEMS)


def _reasoned(place: Place, one: Mapping[str, Any], text: str, told: Told) -> Taken:
    parts = [places.words([part]).strip() for key in ("summary_text", "raw_content") for part in listed(one.get(key))]
    found: list[Turn] = []
    for part in [part for part in (*parts, text.strip()) if part]:
        gave = codex_items.assistant(place, part, told, _EVENT, Form.THINKING)
        if not isinstance(gave, Noise):
            found += gave
    return tuple(found) or Noise("reasoning:no text")


_QUIET_ITEMS = frozenset(
    [
        "todolist",
        "error",
        "contextcompaction",
        "enteredreviewmode",
        "exitedreviewmode",
        "hookprompt",
        "imageview",
        "imagegeneration",
        "collabtoolcall",
        "collabagenttoolcall",
        "sleep",
        "subagentactivity",
    ]
)
_NAMES = {
    "web_search_end": "web_search",
    "web_search": "web_search",
    "WebSearch": "web_search",
    "image_generation_end": "image_generation",
    "dynamic_tool_call_request": "tool",
    "dynamic_tool_call_response": "tool",
}
_READERS: dict[str, Callable[[Place, Mapping[str, Any], Told], Taken]] = {
    "user_message": _user,
    "agent_message": _agent,
    "agent_reasoning": _thought,
    "agent_reasoning_raw_content": _thought,
    "thread_goal_updated": _goal,
    "exited_review_mode": _review,
    "exec_command_end": _tool,
    "patch_apply_end": _tool,
    "mcp_tool_call_end": _tool,
    "web_search_end": _tool,
    "image_generation_end": _tool,
    "dynamic_tool_call_request": _tool,
    "dynamic_tool_call_response": _tool,
    "item_completed": _completed,
}
