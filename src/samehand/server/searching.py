"""The route that searches an index, of a server that was given one."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from samehand.index import Index
from samehand.index.among import EXPECT_FALSE, PRIOR_OF_NONE
from samehand.index.searching import TOP
from samehand.server.faults import FAULTS, refuse_binary
from samehand.server.messages import Request, Text
from samehand.server.work import Work

_MOST_SHOWN = 100


class SearchQuestion(Request):
    """A questioned text, whose author may be in the index."""

    questioned: Text
    top: Annotated[int, Field(ge=1, le=_MOST_SHOWN, description="Authors to show.")] = TOP
    prior_of_none: Annotated[
        float,
        Field(ge=0, le=1, description="That none of them wrote it, before texts were compared."),
    ] = PRIOR_OF_NONE
    expect_false: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False, description="Wrong authors who may be named, on average."),
    ] = EXPECT_FALSE


def searching(index: Index, work: Work) -> APIRouter:
    """The route around one index."""
    router = APIRouter()

    @router.post("/api/search", responses=FAULTS)
    async def search(question: SearchQuestion) -> dict[str, Any]:
        """Which authors of the index may have written the text; as `samehand search --json`."""
        return await work.do(lambda: found(index, question))

    return router


def found(index: Index, question: SearchQuestion) -> dict[str, Any]:
    """Search an index. Raises what `Index.search` raises."""
    refuse_binary("The questioned text", question.questioned)
    (own,) = index.search(
        [question.questioned],
        question.top,
        prior_of_none=question.prior_of_none,
        expect_false=question.expect_false,
    )
    return own.as_dict()
