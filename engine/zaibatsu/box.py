"""The shape of Zaibatsu's component file, and the box made of it. Knows no rules beyond what the numbers mean."""

from typing import Annotated, Any, Literal

import msgspec

from engine.components import BadComponents, Table, loader, read
from engine.zaibatsu.numbers import NUMBERS, PIECES, RD_FOR_SILK

COLOURS = ("black", "red", "grey", "blue", "white", "yellow")
GOODS = ("cotton", "paper", "bento", "lenses", "bulbs", "clocks")
TRACKS = ("rd", "mining", "finance")
BUILT = ("ships", "machines", "trains")
OBJECTIVES = (*BUILT, *TRACKS, "factories", "contracts")
ACTIONS = ("rd", "mining", "factory", "machines", "production", "ships", "trains", "markets", "investment")
CITIES = ("sapporo", "sendai", "tokyo", "yokohama", "osaka", "kyoto", "hiroshima", "nagasaki")
SIDES = 4

Small = Annotated[int, msgspec.Meta(ge=0, le=99)]
Step = Annotated[int, msgspec.Meta(ge=1, le=99)]
Colour = Literal["black", "red", "grey", "blue", "white", "yellow"]
Good = Literal["cotton", "paper", "bento", "lenses", "bulbs", "clocks"]
Action = Literal["rd", "mining", "factory", "machines", "production", "ships", "trains", "markets", "investment"]
Objective = Literal["ships", "machines", "trains", "rd", "mining", "finance", "factories", "contracts"]
Built = Literal["ships", "machines", "trains"]
Bonus = Literal["black", "red", "grey", "blue", "white", "yellow", "any", "finance", "token3", "token5", "token7"]
Source = Literal["", "rulebook", "secondary", "house"]
Thing = Literal["coal", "silk", "iron", "money", "vp", "kept", "rd", "mining", "finance", "ship", "train", "machine"]
Gains = dict[Thing, Step]


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`provenance` of a row that differs from its table's."""

    provenance: Source = ""


class GoodRow(Row, frozen=True):
    id: Good
    level: Literal[1, 2, 3]


class LevelRow(Row, frozen=True):
    rd: Step
    coal: Step
    influence: Annotated[list[Step], msgspec.Meta(min_length=3, max_length=3)]


class HiringRow(Row, frozen=True):
    actions: list[Action]


class RoundRow(Row, frozen=True):
    last: Step


class PlacesRow(Row, frozen=True):
    vp: Annotated[list[Small], msgspec.Meta(min_length=4, max_length=4)]


class RegionRow(Row, frozen=True):
    id: str
    bonus: dict[Literal["coal", "silk", "iron", "money"], Step]


class OverseasRow(Row, frozen=True):
    influence: Small


class DemandRow(Row, frozen=True):
    goods: Annotated[list[Good], msgspec.Meta(min_length=4, max_length=4)]


class TrainRow(Row, frozen=True):
    bonus: dict[Literal["coal", "silk", "iron", "money", "vp"], Step]


class DestinationRow(Row, frozen=True):
    id: str
    colour: Colour


class DepartmentRow(Row, frozen=True):
    colour: Colour
    gains: Literal["coal", "silk", "iron", "money", "steps", "vp"]
    basic: Step
    upgraded: Step


class WorkerSpaceRow(Row, frozen=True):
    favor: Literal[1, 2, 3]
    grey: bool


class FavorRow(Row, frozen=True):
    tokens: Small
    lower: Small
    higher: Small


class TrackRow(Row, frozen=True):
    id: Literal["rd", "mining", "finance"]
    spaces: Step
    thresholds: Annotated[list[Step], msgspec.Meta(min_length=2, max_length=2)]
    bonuses: dict[str, Bonus]
    income: list[Small] = []


class ColumnRow(Row, frozen=True):
    between: Annotated[list[Built], msgspec.Meta(min_length=2, max_length=2)]
    bonuses: dict[str, Bonus]


class BuiltRow(Row, frozen=True):
    built: Step


class InfluenceRow(Row, frozen=True):
    value: Literal[1, 2, 3, 4, 5, 6, 7]
    locked: bool = False


class PointsRow(Row, frozen=True):
    vp: Annotated[list[Small], msgspec.Meta(min_length=3, max_length=3)]


class ContractRow(Row, frozen=True):
    id: str
    gives: Literal["black", "red", "grey", "blue", "white", "yellow", "any"]
    level: Literal[0, 2, 3] = 0


class StartARow(Row, frozen=True):
    id: Literal["machine", "ship", "train", "goods", "old_factory", "worker", "coal", "cheap"]
    vp: Small


class StartBRow(Row, frozen=True):
    id: str
    gains: Gains


Effect = Literal[
    "",
    "red_or_white",
    "worker_department",
    "more_here",
    "more_each",
    "iron_each",
    "free",
    "keep",
    "train_twice",
    "region_bonus",
    "goods_in",
    "goods_here",
    "machines_in",
    "machine_produces",
    "build_any",
    "ship_department",
    "by_favor",
    "vp_per_type",
    "mining_departments",
    "train_influence",
    "money_per_machine",
    "vp_built_thresholds",
    "vp_lower_thresholds",
    "vp_track_thresholds",
]


class FactoryRow(Row, frozen=True):
    id: str
    kind: Literal["immediate", "modifier", "special"]
    action: Literal["", "rd", "mining", "machines", "production", "trains", "investment"] = ""
    when: Literal["", "here", "contract", "two_contracts"] = ""
    gains: Gains = {}
    offer: dict[Literal["money", "iron", "finance"], Step] = {}
    effect: Effect = ""
    n: Small = 0
    most: Small = 0
    of: Literal["", "ships", "machines", "trains", "rd", "mining", "finance", "factories", "contracts"] = ""
    colour: Literal["", "black", "red", "grey", "blue", "white", "yellow"] = ""

    @property
    def good(self) -> str:
        return self.id[:-2]


class GoalRow(Row, frozen=True):
    id: Literal["ships", "machines", "trains", "rd", "mining", "finance", "factories", "contracts", "influence"]
    solo: Step


class RewardRow(Row, frozen=True):
    vp: Step
    finance: Step
    department: Literal["basic", "own"]


class LastRewardRow(Row, frozen=True):
    vp: Step


class AutomaActionRow(Row, frozen=True):
    id: str
    space: Small = 0
    action: Literal["", "trains", "markets"] = ""
    arrow: Literal["", "left", "right"] = ""
    level: Small = 0


class AutomaInfluenceRow(Row, frozen=True):
    values: list[Step]


class RankRow(Row, frozen=True, rename={"at_least": "from"}):
    id: str
    at_least: Annotated[int, msgspec.Meta(ge=0)]


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goods: Table[GoodRow]
    levels: Table[LevelRow]
    hiring: Table[HiringRow]
    rounds: Table[RoundRow]
    places: Table[PlacesRow]
    regions: Table[RegionRow]
    overseas: Table[OverseasRow]
    demand: Table[DemandRow]
    trains: Table[TrainRow]
    destinations: Table[DestinationRow]
    departments: Table[DepartmentRow]
    worker_spaces: Table[WorkerSpaceRow]
    favors: Table[FavorRow]
    tracks: Table[TrackRow]
    columns: Table[ColumnRow]
    built_thresholds: Table[BuiltRow]
    influence: Table[InfluenceRow]
    factory_points: Table[PointsRow]
    contract_points: Table[PointsRow]
    contracts: Table[ContractRow]
    start_a: Table[StartARow]
    start_b: Table[StartBRow]
    factories: Table[FactoryRow]
    late_factories: Table[FactoryRow]
    goals: Table[GoalRow]
    rewards: Table[RewardRow]
    last_rewards: Table[LastRewardRow]
    automa_actions: Table[AutomaActionRow]
    automa_influence: Table[AutomaInfluenceRow]
    ranks: Table[RankRow]


class Tile:
    """A side of a factory tile as the rules ask for it."""

    __slots__ = ("action", "coal", "good", "id", "influence", "level", "rd", "row")

    def __init__(self, row: FactoryRow, level: int, needs: LevelRow) -> None:
        self.row = row
        self.id = row.id
        self.good = row.good
        self.action = row.action
        self.level = level
        self.rd = needs.rd
        self.coal = needs.coal
        self.influence = needs.influence


def _on_the_way(spaces: int, bonuses: dict[int, str]) -> list[list[tuple[str, ...]]]:
    """By the space a marker leaves and the space it reaches: the bonuses in between, the last included."""
    return [
        [tuple(bonuses[space] for space in range(at + 1, to + 1) if space in bonuses) for to in range(spaces + 1)]
        for at in range(spaces + 1)
    ]


class Box:
    """The tables, with what the rules ask of them worked out once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.number = NUMBERS
        levels = tables.levels.rows
        self.level: dict[str, int] = {row.id: row.level for row in tables.goods.rows}
        self.influence = {good: levels[level - 1].influence for good, level in self.level.items()}
        old = [FactoryRow(id=f"{good}0o", kind="special") for good in ("paper", "cotton")]
        self.tiles = {
            row.id: Tile(row, self.level[row.good], levels[self.level[row.good] - 1])
            for row in (*tables.factories.rows, *tables.late_factories.rows, *old)
        }
        self.spaces = [tuple(row.actions) for row in tables.hiring.rows]
        space_of: dict[str, int] = {action: at for at, actions in enumerate(self.spaces) for action in actions}
        self.space_of = {action: space_of[action] for action in ACTIONS}
        self.period_ends = [row.last for row in tables.rounds.rows]
        self.last_round = self.period_ends[-1]
        self.places = [list(row.vp) for row in tables.places.rows]
        self.regions = [row.id for row in tables.regions.rows]
        self.region_bonus: list[tuple[str, int]] = [next(iter(row.bonus.items())) for row in tables.regions.rows]
        values = [row.influence for row in tables.overseas.rows]
        cities = 2 * len(self.regions)
        self.overseas = [[values[(side - city) % SIDES] for side in range(SIDES)] for city in range(cities)]
        bonuses = [next(iter(row.bonus.items()), None) for row in tables.trains.rows]
        self.train_bonus: list[list[tuple[str, int] | None]] = [
            [bonuses[(space + 2 * region) % len(bonuses)] for space in range(len(bonuses))]
            for region in range(len(self.regions))
        ]
        # By region: the spaces with the same bonus together, each from the top.
        self.alike_spaces = [
            [[space for space, other in enumerate(row) if other == bonus] for bonus in dict.fromkeys(row)]
            for row in self.train_bonus
        ]
        self.destination: dict[str, str] = {row.colour: row.id for row in tables.destinations.rows}
        self.department: dict[str, tuple[str, int, int]] = {
            row.colour: (row.gains, row.basic, row.upgraded) for row in tables.departments.rows
        }
        self.worker_spaces = tables.worker_spaces.rows
        self.favors = tables.favors.rows
        self.track: dict[str, TrackRow] = {row.id: row for row in tables.tracks.rows}
        self.last_space: dict[str, int] = {row.id: row.spaces for row in tables.tracks.rows}
        self.track_bonus: dict[str, dict[int, str]] = {
            row.id: {int(at): bonus for at, bonus in row.bonuses.items()} for row in tables.tracks.rows
        }
        # By level of R&D, lifted by silk: the factories it reaches.
        most_rd = self.last_space["rd"] + len(RD_FOR_SILK)
        self.within_rd = [{id for id, tile in self.tiles.items() if tile.rd <= rd} for rd in range(most_rd)]
        self.on_the_way = {track: _on_the_way(row.spaces, self.track_bonus[track]) for track, row in self.track.items()}
        self.columns: list[tuple[str, str, dict[int, str]]] = [
            (row.between[0], row.between[1], {int(at): bonus for at, bonus in row.bonuses.items()})
            for row in tables.columns.rows
        ]
        self.built_thresholds = [row.built for row in tables.built_thresholds.rows]
        self.thresholds: dict[str, list[int]] = {
            **{row.id: row.thresholds for row in tables.tracks.rows},
            **dict.fromkeys(BUILT, self.built_thresholds),
        }
        self.points = {
            "factories": [row.vp for row in tables.factory_points.rows],
            "contracts": [row.vp for row in tables.contract_points.rows],
        }
        self.slots = len(self.points["factories"])
        self.contracts = {row.id: row for row in tables.contracts.rows}
        self.start_a: dict[str, StartARow] = {row.id: row for row in tables.start_a.rows}
        self.start_b = {row.id: row for row in tables.start_b.rows}
        self.solo_goal: dict[str, int] = {row.id: row.solo for row in tables.goals.rows}
        self.rewards = tables.rewards.rows
        self.last_rewards = [row.vp for row in tables.last_rewards.rows]
        self.automa_action = {row.id: row for row in tables.automa_actions.rows}
        self.automa_rows = [row.values for row in tables.automa_influence.rows]
        self.ranks = tables.ranks.rows


def _make(text: str) -> Box:
    tables = read(text, Tables)
    _exactly("goods", [row.id for row in tables.goods.rows], GOODS)
    _exactly("hiring", [action for row in tables.hiring.rows for action in row.actions], ACTIONS)
    _exactly("destinations", [row.colour for row in tables.destinations.rows], COLOURS)
    _exactly("departments", [row.colour for row in tables.departments.rows], COLOURS)
    _exactly("tracks", [row.id for row in tables.tracks.rows], TRACKS)
    _exactly("goals", [row.id for row in tables.goals.rows], (*OBJECTIVES, "influence"))
    _exactly("factories", [row.id for row in tables.factories.rows], _sides("1234"))
    _exactly("late_factories", [row.id for row in tables.late_factories.rows], _sides("5"))
    _exactly("start_a", [row.id for row in tables.start_a.rows], msgspec_literals(StartARow, "id"))
    for table, rows in (("start_b", tables.start_b.rows), ("contracts", tables.contracts.rows)):
        ids: list[str] = [row.id for row in rows]
        _exactly(table, ids, tuple(dict.fromkeys(ids)))
    for table, count, least in _lengths(tables):
        if count != least:
            raise BadComponents(f"component file, table {table}: it has {count} rows and needs {least}")
    for number, track in enumerate(tables.tracks.rows, 1):
        if track.id != "rd" and len(track.income) != track.spaces:
            raise BadComponents(
                f"component file, table tracks, row {number}: {track.spaces} spaces need as many incomes"
            )
        _columns_fit("tracks", number, track.bonuses, track.spaces)
    for number, column in enumerate(tables.columns.rows, 1):
        _columns_fit("columns", number, column.bonuses, PIECES)
    for number, demand in enumerate(tables.demand.rows, 1):
        if len(set(demand.goods)) != SIDES:
            raise BadComponents(f"component file, table demand, row {number}: the four goods must differ")
    return Box(tables)


def msgspec_literals(shape: type[msgspec.Struct], name: str) -> tuple[Any, ...]:
    """The values a field may have."""
    info = msgspec.inspect.type_info(shape)
    assert isinstance(info, msgspec.inspect.StructType)
    kind = next(field.type for field in info.fields if field.name == name)
    assert isinstance(kind, msgspec.inspect.LiteralType)
    return kind.values


def _sides(numbers: str) -> tuple[str, ...]:
    return tuple(f"{good}{number}{side}" for good in GOODS for number in numbers for side in "ab")


def _lengths(tables: Tables) -> list[tuple[str, int, int]]:
    return [
        ("levels", len(tables.levels.rows), 3),
        ("hiring", len(tables.hiring.rows), 5),
        ("rounds", len(tables.rounds.rows), 3),
        ("places", len(tables.places.rows), 3),
        ("regions", len(tables.regions.rows), 4),
        ("overseas", len(tables.overseas.rows), SIDES),
        ("demand", len(tables.demand.rows), 9),
        ("trains", len(tables.trains.rows), 7),
        ("worker_spaces", len(tables.worker_spaces.rows), 6),
        ("favors", len(tables.favors.rows), 3),
        ("built_thresholds", len(tables.built_thresholds.rows), 2),
        ("influence", len(tables.influence.rows), 10),
        ("factory_points", len(tables.factory_points.rows), 6),
        ("contract_points", len(tables.contract_points.rows), len(tables.contracts.rows)),
        ("rewards", len(tables.rewards.rows), 2),
        ("last_rewards", len(tables.last_rewards.rows), 3),
        ("automa_influence", len(tables.automa_influence.rows), 3),
    ]


def _columns_fit(table: str, number: int, bonuses: dict[str, Bonus], last: int) -> None:
    for at in bonuses:
        if not at.isdecimal() or not 1 <= int(at) <= last:
            raise BadComponents(f"component file, table {table}, row {number}: there is no space {at!r} for a bonus")


def _exactly(table: str, names: list[Any], wanted: tuple[Any, ...]) -> None:
    """Every name once, none missing, none unknown."""
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise BadComponents(f"component file, table {table}, row {number}: a second row for {name}")
        if name not in wanted:
            raise BadComponents(f"component file, table {table}, row {number}: nothing is called {name!r}")
    if missing := [str(name) for name in wanted if name not in names]:
        raise BadComponents(f"component file, table {table}: no row for {', '.join(missing)}")


load_box = loader(__file__, _make)
