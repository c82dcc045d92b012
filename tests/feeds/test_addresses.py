"""No connection is made to what is not known to be public, however its address is written."""

from ipaddress import IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whywire.feeds.client import refusal

PUBLIC = ["8.8.8.8", "93.184.215.14", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]
PUBLIC += ["64:ff9b::8.8.8.8"]

PRIVATE = ["127.9.9.9", "10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "::1"]
PRIVATE += ["fd12::1", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::192.168.0.1"]

NEVER = ["0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255"]
NEVER += ["100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1"]
NEVER += ["::", "fe80::1%eth0", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "fd00:ec2::254"]
NEVER += ["::127.0.0.1", "64:ff9b:1::1", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254", "100::1", "4000::1"]
NEVER += ["fd20:ce::254", "no address", "", "localhost"]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reached(address):
    assert refusal(address) is None
    assert refusal(address, allow_private=True) is None


@pytest.mark.parametrize("address", PRIVATE)
def test_private_ones_are_reached_only_where_that_is_allowed(address):
    assert "private" in refusal(address)
    assert refusal(address, allow_private=True) is None


@pytest.mark.parametrize("address", NEVER)
def test_special_ones_are_never_reached(address):
    assert refusal(address)
    assert refusal(address, allow_private=True)


@given(st.ip_addresses(v=4))
def test_an_address_of_version_4_is_judged_the_same_inside_one_of_version_6(address):
    for carried in (IPv6Address(0xFFFF_0000_0000 | int(address)), IPv6Address((0x64FF9B << 96) | int(address))):
        assert (refusal(str(carried)) is None) == (refusal(str(address)) is None)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_is_reached_is_global_in_the_registry_of_the_standard_library(address):
    if refusal(str(address)) is None:
        found = ip_address(address)
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        assert (mapped or found).is_global


@given(st.text(max_size=50))
def test_what_is_no_address_is_refused(text):
    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        assert refusal(text, allow_private=True)
