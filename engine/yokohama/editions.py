"""Names by edition: what OKAZU calls by another name is said with another key, the same with @okazu behind it.

Ids of options, areas and cards are the same in both editions; only what is said differs.
"""

from collections.abc import Mapping
from typing import Any

from engine.scene import Blocked, Decision, Message, Option, Scene, Together

OKAZU = "@okazu"

# Messages and values (as kind.value) that have a name of their own in okazu.
RENAMED = frozenset(
    {
        "agent",
        "agent_joined",
        "ask.customs",
        "build.shop",
        "build.shop.any",
        "built.shop",
        "gain.fish",
        "goal.fish",
        "goal.tokens",
        "good.fish",
        "joined.customs",
        "outlook.fish",
        "outlook.fish.all",
        "outlook.fish.bonus",
        "outlook.fish.build",
        "piece.shop",
        "place.customs",
        "place.dock",
        "place.lab",
        "place.port",
        "place.research",
        "reason.customs",
        "reason.shops",
        "scored.customs_majority",
        "sent_agent",
        "step.agent_action",
        "step.agent_bonus",
        "step.agent_building",
        "step.agent_recovery",
        "warehouse.shop",
        "why.no_shop",
        "why.own_shop",
    }
)


def in_okazu(scene: Scene) -> Scene:
    """The same scene with the names of the OKAZU edition."""
    answer = None
    while True:
        try:
            asked = scene.send(answer)
        except StopIteration as stop:
            return stop.value
        if type(asked) is Decision:
            asked = _decision(asked)
        elif type(asked) is Together:
            asked = Together({seat: in_okazu(own) for seat, own in asked.scenes.items()})
        answer = yield asked


def renamed_key(key: str) -> str:
    return key + OKAZU if key.removeprefix("yokohama.") in RENAMED else key


def renamed_args(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(name.rpartition("_")[2], value) for name, value in args.items()}


def _value(kind: str, value: Any) -> Any:
    if isinstance(value, str):
        return value + OKAZU if f"{kind}.{value}" in RENAMED else value
    if isinstance(value, list):
        return [_value(kind, entry) for entry in value]
    if isinstance(value, dict):
        return {"key": renamed_key(value["key"]), "args": renamed_args(value["args"])}
    return value


def _message(message: Message) -> Message:
    return Message(renamed_key(message.key), renamed_args(message.args))


def _option(option: Option) -> Option:
    hint = None if option.hint is None else _message(option.hint)
    return Option(option.id, _message(option.label), hint, option.spots, option.means)


def _blocked(blocked: Blocked) -> Blocked:
    return Blocked(_message(blocked.label), _message(blocked.reason))


def _decision(asked: Decision) -> Decision:
    return Decision(
        asked.seat,
        renamed_key(asked.prompt),
        [_option(option) for option in asked.options],
        asked.default,
        renamed_args(asked.args),
        [_blocked(blocked) for blocked in asked.blocked],
        asked.secret,
        asked.rest,
    )
