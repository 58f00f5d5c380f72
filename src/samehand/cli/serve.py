"""`samehand serve`: the web page and the JSON API, on this machine."""

import os
import re
import sys
from typing import Annotated

import typer

from samehand.cli import options

_TOKEN = re.compile(r"[!-~]{16,200}")


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen at; 0.0.0.0 lets other machines in."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen at; 0 takes any free one.")
    ] = 8000,
    token: Annotated[
        str | None,
        typer.Option(envvar="SAMEHAND_TOKEN", help="A secret that all who use the page must know."),
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let in everybody who can reach the page.")
    ] = False,
    model: options.Model = None,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="INDEX", help="An index that /api/search is to search (samehand index)."
        ),
    ] = None,
) -> None:
    """Serve a web page where texts can be compared. Nothing leaves this machine or is stored.

    Where other machines can reach it, a token is needed. A short one, and one
    that others can see, protects nothing; better than an option is the
    environment variable SAMEHAND_TOKEN.

    Examples:
    $ samehand serve
    $ samehand serve --host 0.0.0.0 --port 443 --model my-model
    """
    import socket
    from urllib.parse import quote

    from samehand.errors import InputError, needs

    needs("web", "uvicorn")
    needs("web", "fastapi")
    from samehand.index import Index
    from samehand.server.app import create_app
    from samehand.server.connections import served
    from samehand.server.origin import is_local
    from samehand.verifier import Verifier

    if token is not None and not _TOKEN.fullmatch(token):
        raise InputError(
            "The token is not 16 to 200 letters, digits and marks without spaces; choose another."
        )
    if token is None and not no_token and not is_local(host):
        raise InputError(
            f"On {host} other machines may reach this server; give a --token that its users have "
            "to know, or --no-token to let in everybody."
        )
    verifier = Verifier.load(model)
    searched = None if index is None else Index.open(index, verifier)
    app = create_app(verifier, host, token, searched)
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # whoever reads the address may ask at once
    except OSError as error:
        raise InputError(
            f"Cannot listen on {host}, port {port} ({error.strerror}); choose another --port."
        ) from None
    shown = f"[{host}]" if ":" in host else host
    if not is_local(host):
        typer.echo(
            "Warning: other machines may reach this server, which has no encryption"
            f"{'' if token else ' and asks for no token'}.",
            err=True,
        )
    secret = f"#token={quote(token, safe='')}" if token else ""
    typer.echo(f"http://{shown}:{listening.getsockname()[1]}/{secret} (Ctrl+C ends it)")
    try:
        served(app).run(sockets=[listening])
    except (KeyboardInterrupt, SystemExit) as end:
        # A thread that is still at work on a text would be waited for, however long it takes.
        sys.stdout.flush()
        os._exit(130 if isinstance(end, KeyboardInterrupt) else 143)
