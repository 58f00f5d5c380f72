"""Whom a server answers: requests that address it by a name of its own, and no other web page.

A page on another site can make a browser send requests here, and with a name that it lets point to
this machine (DNS rebinding) it could read the answers.
"""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

_LOCAL = ("localhost", "127.0.0.1", "::1")
_OWN_SITE = ("same-origin", "none")


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


class OwnNames:
    """The names by which a server is addressed."""

    def __init__(self, host: str) -> None:
        """`host`: where it listens. Other machines know this one by its name, or by an address."""
        self._names = {*_LOCAL, host.lower()}
        self._any_address = not is_local(host)
        if self._any_address:
            own = socket.gethostname().lower()
            self._names |= {own, f"{own}.local"}

    def hold(self, header: str) -> bool:
        """Whether a Host header has one of them. An address cannot be rebound: names are."""
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._any_address and _is_address(name))


def is_foreign(fetch_site: str | None) -> bool:
    """Whether a Sec-Fetch-Site header says that another site's page asks; programs send none."""
    return fetch_site is not None and fetch_site not in _OWN_SITE


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
