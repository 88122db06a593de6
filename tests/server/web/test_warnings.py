"""Warnings of libraries that a server does not print."""

import warnings

from meeple.server.app import ignore_alias_warning


def test_the_warning_about_the_alias_of_a_parameter_is_ignored_outside_fastapi_too():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ignore_alias_warning()
        warnings.warn("The 'alias' attribute with value 'id' was provided", UserWarning, 2)
