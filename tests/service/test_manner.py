"""How somebody plays: they see of it what those see who are about to play with them, and nobody else does."""

from datetime import timedelta

from sqlalchemy import event

from service.db import db, utcnow
from service.models import Game, GameStatus, Move, Person
from service.play import forgetting, manner
from service.post import links, outbox
from tests.play import House, Table, mail_of, mint


def person(house: House, name: str) -> Person:
    return house.one(Person, Person.mail == mail_of(name))


def ended(house: House, scores: tuple[int, ...], *names: str) -> Table:
    """A game that came to its end with these scores."""
    table = house.begun(list(names))
    table.rush(2 * len(names))
    ranking = sorted(enumerate(scores), key=lambda row: -row[1])
    result = [
        {"seat": no, "place": at, "score": points, "parts": {}, "tiebreak": {}}
        for at, (no, points) in enumerate(ranking, 1)
    ]
    with db.writing() as session:
        game = session.get_one(Game, table.game().id)
        game.status, game.result, game.finished_at = GameStatus.FINISHED, result, utcnow()
        session.add(game)
    return table


def test_a_page_tells_games_places_answers_and_misses_with_the_excused_apart(house: House):
    ended(house, (5, 9), "Aiko", "Bruno")
    table = ended(house, (7, 3), "Aiko", "Bruno")
    house.execute("UPDATE move SET took = 3600 WHERE person_id = :id", id=person(house, "Aiko").id)
    house.execute("UPDATE seat SET missed = 3, excused = 1 WHERE id = :id", id=table.player("Aiko").seat.id)
    browser = house.browser()
    browser.get(mint(house, links.mint_seat, table.player("Aiko").seat))
    with db.reading() as session:
        told = manner.of(session, person(house, "Aiko").id)
    assert (told.games, told.titles[0].won, list(told.titles[0].places)) == (2, 1, [(1, 2), (2, 2)])
    assert (told.missed, told.excused) == (2, 1)
    page = browser.get(f"/my/play/{person(house, 'Aiko').id}")
    assert "2 games, 1 won" in page
    assert "2 turns were missed. 1 more was excused." in page
    assert browser.get(f"/my/play/{person(house, 'Bruno').id}").status == 403
    if told.answer:
        assert told.answer == timedelta(hours=1)


def test_a_move_tells_how_long_its_player_thought_and_nobody_elses(house: House):
    table = house.begun(["Aiko", "Bruno", "Robo*"])
    table.rush(3)
    for move in house.all(Move, Move.game_id == table.game().id):
        assert (move.took is not None) == (move.decided_by == "player")


def test_before_a_game_begins_those_at_the_table_see_how_the_others_play_who_said_yes(house: House):
    ended(house, (5, 9), "Bruno", "Dana")
    table = house.game(["Aiko", "Bruno", "Chidi"])
    assert "How Bruno plays" not in table.organise()  # he has not said yes to anything
    table.player("Bruno").accept()
    assert "How Bruno plays" in table.organise()
    chidi = table.player("Chidi")
    page = chidi.follow_link()
    assert "How Bruno plays" in page
    assert "Dana" not in page  # nothing in it names anybody else
    assert "1 game, 0 won" in page
    assert "How Chidi plays" not in page


def test_a_group_sees_its_scores_over_its_games_and_nobody_else_does(house: House):
    first = ended(house, (5, 9), "Aiko", "Bruno")
    ended(house, (50, 90), "Aiko", "Chidi")
    last = ended(house, (7, 3), "Bruno", "Aiko")
    browser, watcher = house.browser(), house.browser()
    browser.get(mint(house, links.mint_seat, last.player("Aiko").seat))
    watcher.get(mint(house, links.mint_watch, last.game()))
    page = browser.get(last.url("/result"))
    assert "Scores of 2 games of the same people." in page.html
    assert "This group" in page
    assert "This group" not in watcher.get(last.url("/result"))
    with db.reading() as session:
        past = manner.of_group(session, last.game(), last.seats(), person(house, "Aiko").id)
    assert [row.scores for row in past] == [[9, 5], [7, 3]]
    assert past[0].game.id == first.game().id


def test_who_is_forgotten_has_no_manner_any_more(house: House):
    table = ended(house, (5, 9), "Aiko", "Bruno")
    aiko = person(house, "Aiko")

    @outbox.transaction
    def forget(session) -> None:
        forgetting.forget(session, aiko.id, utcnow())

    forget()
    assert house.browser().get(f"/my/play/{aiko.id}").status == 403
    assert "Aiko" not in table.house.browser().get(mint(house, links.mint_seat, table.seats()[1])).html


def test_it_costs_the_same_however_many_games_there_were(house: House):
    ended(house, (5, 9), "Aiko", "Bruno")
    aiko = person(house, "Aiko").id
    seen: list[str] = []

    def note(connection, cursor, statement, *_) -> None:
        seen.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    with db.reading() as session:
        manner.of(session, aiko)
    event.remove(db.engine, "before_cursor_execute", note)
    asked = [statement for statement in seen if statement.startswith("SELECT")]
    assert len(asked) == 2
    assert all("LIMIT" in statement for statement in asked)
