"""Puzzles in a browser: a wrong move, the solution, the rating, the next one."""

import re

import pytest
from playwright.sync_api import expect

from meeple.server.puzzles.puzzles import shipped
from meeple.server.puzzles.stored import puzzle_id
from tests.server.pictures import picture
from tests.server.waiting import wait_until_it_fits


@pytest.fixture(scope="module")
def solutions():
    """The solutions by the position's last moves."""
    return {tuple(r.actions[: r.opening]): list(r.actions[r.opening :]) for r in shipped()}


def opened(server, desk, solutions):
    """Open a puzzle of Reversi; return its page and its solution."""
    page = desk.open("about:blank")
    with page.expect_response(re.compile("/api/puzzles/next")):
        page.goto(f"{server.url}/#/puzzles")
    with page.expect_response(re.compile("/api/puzzles/next")) as waiting:
        page.get_by_label("Puzzles of").select_option("reversi")
    expect(page.get_by_role("heading", level=1)).to_have_text("Reversi: puzzle")
    puzzle = waiting.value.json()
    expect(page).to_have_url(re.compile(f"#/puzzles/{puzzle['id']}$"))
    return page, solutions[tuple(puzzle["moves"])]


def play(page, name):
    board = page.locator(".puzzle-board")
    if name == "pass":
        board.get_by_role("button", name="pass").click()
    else:
        board.locator(f'[aria-label^="{name},"]').click()


def find_the_moves(page, solution):
    for name in solution[::2]:
        play(page, name)
        if name != solution[-1]:
            expect(page.get_by_text(f"{name} is right.")).to_be_visible()


def test_a_wrong_move_is_refused_and_the_solution_shown(server, desks, solutions):
    page, solution = opened(server, desks(), solutions)
    expect(page.get_by_text("Find the only winning move")).to_be_visible()
    picture(page, "page-puzzle")
    others = page.locator('.puzzle-board [aria-label*="you can play here"]')
    expect(others.nth(1)).to_be_visible()
    names = [
        label.split(",")[0]
        for label in others.evaluate_all(
            "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
        )
    ]
    play(page, next(name for name in names if name != solution[0]))
    expect(page.get_by_text(re.compile("does not win"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"0 of 1 puzzles solved"))).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.get_by_text(f"The solution: {', '.join(solution)}.")).to_be_visible()
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_role("button", name="Another puzzle")).to_be_visible()


def test_the_right_moves_solve_a_puzzle_on_a_phone(server, desks, solutions):
    page, solution = opened(server, desks("phone"), solutions)
    find_the_moves(page, solution)
    expect(page.get_by_text(f"Solved: {solution[-1]} wins.")).to_be_visible()
    expect(page.get_by_text("1 of 1 puzzles solved at the first try")).to_be_visible()
    wait_until_it_fits(page)


def test_a_pass_is_played_by_its_button_and_a_damaged_address_says_so(server, desks):
    puzzle = next(r for r in shipped() if "pass" in r.actions[r.opening :][2::2])
    desk = desks()
    page = desk.open(f"{server.url}/#/puzzles/{puzzle_id(puzzle)}")
    solution = list(puzzle.actions[puzzle.opening :])
    find_the_moves(page, solution)
    expect(page.get_by_text(f"Solved: {solution[-1]} wins.")).to_be_visible()
    page.goto(f"{server.url}/#/puzzles/abc")
    expect(page.get_by_text("There is no puzzle at this address")).to_be_visible()
    desk.faults.clear()  # the browser reports the status 404
