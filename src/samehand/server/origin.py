"""Whom a server answers: requests that address it by a name of its own, and no other web page.

A page on another site can make a browser send requests here, and with a name that it lets point to
this machine (DNS rebinding) it could read the answers.
"""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

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


def is_foreign(headers: Headers) -> bool:
    """Whether the page of another site asks.

    Browsers say so in Sec-Fetch-Site, older ones only in Origin; programs send neither.
    """
    site, origin = headers.get("sec-fetch-site", "none"), headers.get("origin")
    here = f"//{headers.get('host', '')}".lower()
    return site not in _OWN_SITE or (origin is not None and not origin.lower().endswith(f":{here}"))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
