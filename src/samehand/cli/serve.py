"""`samehand serve`: the web page and the JSON API, on this machine."""

import os
import sys
from typing import Annotated

import typer

from samehand.cli import options

_PATIENCE = 3
"""Seconds in which requests may end when the server does."""


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    model: options.Model = None,
) -> None:
    """Open a web page where texts can be compared. Nothing leaves this machine or is stored."""
    import socket

    from samehand.errors import InputError, needs

    uvicorn = needs("web", "uvicorn")
    needs("web", "fastapi")
    from samehand.server.app import create_app
    from samehand.server.origin import is_local
    from samehand.verifier import Verifier

    app = create_app(Verifier.load(model), host)
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        raise InputError(
            f"Cannot listen on {host}, port {port} ({error.strerror}); choose another --port."
        ) from None
    shown = f"[{host}]" if ":" in host else host
    if not is_local(host):
        typer.echo(
            "Warning: other machines may reach this server, which has no login and no encryption.",
            err=True,
        )
    typer.echo(f"http://{shown}:{listening.getsockname()[1]}/ (Ctrl+C ends it)")
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )  # fmt: skip
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        # A thread that is still at work on a text would be waited for, however long it takes.
        sys.stdout.flush()
        os._exit(130)
