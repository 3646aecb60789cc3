"""No garbage is collected while code is loaded, and it is afterwards."""

from __future__ import annotations

import gc

import pytest

from trine.core.compiled.loading import loading


def test_garbage_is_collected_again_afterwards() -> None:
    frozen = gc.get_freeze_count()
    try:
        with pytest.raises(ImportError), loading():
            with loading():
                assert not gc.isenabled()
            assert not gc.isenabled(), "the outer block goes on"
            raise ImportError
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
