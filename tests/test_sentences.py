"""Sentences with codes: what they tell beyond their texts."""

from meeple.sentences import as_json, from_json, say, sentences_in


def test_a_sentence_keeps_no_field_that_its_text_does_not_show():
    said = say("catan.turn", n=5, hidden="ore")
    assert said == "turn 5"
    assert sentences_in([said]) == {"turn 5": {"code": "catan.turn", "fields": {"n": 5}}}


def test_sentences_keep_their_codes_in_json():
    data = {"said": [say("catan.turn", n=5), "a text of a game of one's own"]}
    again = from_json(as_json(data))
    assert again == data
    assert again["said"][0].code == "catan.turn"
