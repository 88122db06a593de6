"""Write the English texts of all things with names: `python -m docs.write_texts`.

They stand where the things are declared, but for a run's curves. `declared.json` has them by codes
made of the names, for translators and the page; a test fails if the file is stale. Install this
repository's plug-ins before, since their agents are in it.
"""

import json
from collections.abc import Iterator

from meeple.agents.kinds import AGENTS
from meeple.games.contract.lessons import HasLesson
from meeple.games.contract.registry import BUILT_IN, make
from meeple.sentences import LANGUAGES, english
from meeple.server.training import form
from meeple.server.training.figures import FIGURES

FILE = LANGUAGES / "en" / "declared.json"


def declared_texts() -> Iterator[tuple[str, str]]:
    """Return the texts that belong to a thing with a name, by codes made of the name."""
    for name in BUILT_IN:
        game = make(name)
        yield f"summary.{name}", game.summary
        for key, option in game.declared.items():
            yield f"option.{name}.{key}", option.help
            if option.kind == "text":
                yield f"allowed.{name}.{key}", option.allowed
        assert isinstance(game, HasLesson)
        lesson = game.lesson()
        yield from ((f"rules.{name}.{at}", text) for at, text in enumerate(lesson.rules))
        for at, step in enumerate(lesson.steps):
            yield f"lesson.{name}.{at}", step.text
            if step.praise:
                yield f"lesson.{name}.{at}.praise", step.praise
            if step.refusal:
                yield f"lesson.{name}.{at}.refusal", step.refusal
    yield from ((f"agent.{name}", kind.help) for name, kind in AGENTS.items())
    kept = english("declared")  # the texts of curves stand only there
    for name in FIGURES:
        yield from ((code, kept[code]) for code in (f"figure.{name}", f"figure.{name}.words"))
    for section in form.sections():
        yield f"section.{section.name}", section.help
        yield from ((f"config.{field.name}", field.help) for field in section.fields)
    yield from ((f"configuration.{config.name}", config.words) for config in form.forms())


if __name__ == "__main__":
    texts = dict(sorted(declared_texts()))
    FILE.write_text(json.dumps(texts, indent=2, ensure_ascii=False) + "\n", "utf-8")
