"""One server for all tests of a file."""

import pytest

from meeple.server import app as application
from tests.server.pools import InstantPool
from tests.server.tables import serving


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "Pool", lambda *_: InstantPool())
        with serving(tmp_path_factory.mktemp("library")) as client:
            yield client
