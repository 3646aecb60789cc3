"""No garbage is collected while code is loaded, and it is afterwards."""

import gc

import pytest

from trine.core.compiled.gc_pause import gc_paused


def test_garbage_is_collected_again_afterwards() -> None:
    frozen = gc.get_freeze_count()
    try:
        with pytest.raises(ImportError), gc_paused():
            with gc_paused():
                assert not gc.isenabled()
            assert not gc.isenabled(), "the outer block goes on"
            raise ImportError
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
