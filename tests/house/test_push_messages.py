"""Messages to devices: how they are encrypted, the key of a house, and its settings."""

import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from house.push_service import Receiver
from trine.core.errors import MalformedError
from trine.house.notify import push
from trine.house.notify.push import check_keys, decode, encrypt, read_push
from trine.house.people.encryption import Encryption


def private(given: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(given)), ec.SECP256R1())


def test_a_message_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    own = private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    theirs = Receiver(
        private("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), decode("BTBZMqHH6r4Tts7J_aSIgg")
    )
    words = b"When I grow up, I want to be a watermelon"
    encrypted = encrypt(
        *(words, theirs.key, theirs.secret), size=0, own=own, salt=decode("DGv6ra1nlYgDCS1FRnbzlw")
    )
    assert encrypted == decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert theirs.read(encrypted) == words


def test_messages_are_of_one_length_and_never_the_same() -> None:
    device = Receiver()
    some = [encrypt(words, device.key, device.secret) for words in (b"a", b"b" * 2000, b"a")]
    assert {len(one) for one in some} == {2150} and len(set(some)) == 3
    assert [len(device.read(one)) for one in some] == [1, 2000, 1]


# --- the key and the settings --------------------------------------------------------------------


def test_the_key_for_push_services_follows_from_that_of_the_house(tmp_path: Path) -> None:
    house = Encryption(b"k" * 32)
    assert read_push(tmp_path, house) is None
    (tmp_path / "house.toml").write_text('[push]\ncontact = "https://example.org/about"')
    with pytest.raises(MalformedError, match=r"house\.key is missing"):
        read_push(tmp_path, Encryption(None))
    one, again = read_push(tmp_path, house), read_push(tmp_path, Encryption(b"k" * 32))
    other = read_push(tmp_path, Encryption(b"x" * 32))
    assert one and again and other
    assert one.key.public == again.key.public != other.key.public


def test_whoever_wants_notifications_without_their_libraries_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house.toml").write_text('[push]\ncontact = "https://example.org/about"')
    monkeypatch.setattr(push, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(MalformedError, match=r"install them with: pip install 'trine\[push\]"):
        read_push(tmp_path, Encryption(b"k" * 32))


def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    for wrong, told in [
        ("contact=", "cannot be read"),
        ("services=[]", "contact"),
        ('contact="host@example.org"', "mailto:"),
        ('contact="mailto:host"', "e-mail"),
        ('contact="mailto:a@b.org"\nservices="https://p.org"', "wrong type"),
        ('contact="mailto:a@b.org"\nservices=["http://p.org"]', "https://push"),
        ('contact="mailto:a@b.org"\nservices=["https://p.org/x"]', "https://push"),
    ]:
        (tmp_path / "house.toml").write_text(f"[push]\n{wrong}")
        with pytest.raises(MalformedError, match=told):
            read_push(tmp_path, Encryption(b"k" * 32))


def test_keys_that_are_none() -> None:
    good = Receiver()
    check_keys(good.key, good.secret)
    for key, secret in [
        ("", ""),
        (good.key, ""),
        ("A" * 87, good.secret),
        (good.key[:-2], good.secret),
        (good.key + "\0", good.secret),
        (good.key, f"{good.secret[:4]}!{good.secret[4:]}"),
    ]:
        with pytest.raises(MalformedError):
            check_keys(key, secret)
