"""Trials whose answers must not move unless it is meant; `python -m tests.golden` writes them anew.

They are of several kinds: with one known text and with several, short and long, decided and not,
with and without cautions; by the packaged model, and by the same adapted to a case.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from samehand.casework.adapting import Brought, adapt
from samehand.verifier import PACKAGED, Verifier
from tests.casework.written import write
from tests.entries import Answer, Trial, by_score
from tests.models import ESSAYS, essay

FILE = Path(__file__).with_name("golden.json")
CORPUS = ESSAYS.with_name("corpus")

LETTER = (
    "Sir, I had the Honour to receive Yours of the 2d Inst. inclosing the Resolve respectg the "
    "Cloathing, & shall in Consequence thereof give the necessary Orders to the Agents, that they "
    "forward without Delay such Articles as are come to Hand; tho I must beg Leave to observe, "
    "that the Quantity of Shoes & Blanketts falls vastly short of what the Necessities of the "
    "Troops do require. The General hath wrote me, that upwards of three hundred of his Men are "
    "wholly unfit for Duty thro' want of them. I am sensible of the many Embarrassments under "
    "which You labour, & wou'd not add thereto, did not the Season press."
)
ANSWER_TO_LETTER = (
    "Sir, Your Favour of the 9th came safe to Hand, & I have laid the same before the Board, who "
    "desire me to assure You, that no Pains shall be spared to procure the Articles You mention. "
    "The Roads being exceeding bad, the Waggons cannot be expected before the latter End of the "
    "Week; they will be under the Care of an Officer, who hath Orders to deliver the Whole into "
    "no other Hands than those of the Quarter Master. I have the Honour to be, with great Esteem, "
    "Your most Obedt & very humble Servt."
)
CHAT = (
    "haha ok so i got there like 20 min late bc the bus just never came?? and dan was already "
    "eating lol. anyway he says hi!! did u get the thing i sent u yesterday, the pic w the dog. "
    "omg it was SO funny i cant even. also r we still on for sat or nah, my mum wants me to help "
    "her move the sofa again ugh. lmk k? i can prob do after 4 but not b4 that"
)
MORE_CHAT = (
    "ya sat is fine!! 4ish works. bring ur speaker if u can, mine died on me AGAIN lol. i told "
    "kim shes coming too but she never answers her phone so idk. btw that pic haha i showed it to "
    "everyone at work, they r all in love w the dog now. dont forget the snacks this time pls, we "
    "had like nothing last week and dan ate all of it before i even sat down smh"
)
MAIL = (
    "Hello everyone,\n\nA reminder that the office will be closed on Friday while the heating is "
    "replaced. If you need anything from your desk, please collect it by Thursday at five. The "
    "workmen have asked us to clear the window sills and to cover the screens.\n\nThose who have "
    "calls planned for Friday can use the rooms on the second floor of the library; ask me for the "
    "code. I will send a note as soon as we know that Monday is safe.\n\nBest wishes,\nMarian"
)
LIST = "\n\n".join(
    [
        "- two eggs", "- three onions", "- a box of tea", "- half a pound of butter",
        "- one large loaf", "- a bag of rice", "- six apples", "- carrots", "- matches",
        "- sugar, brown", "- one cabbage", "- flour (2)", "- pears", "- leeks", "- a box of nails",
    ]
)  # fmt: skip
GERMAN = (
    "Am Morgen war der Garten noch nass, und die Schnecken hatten in der Nacht den ganzen Salat "
    "gefressen. Meine Nachbarin stand am Zaun und lachte, denn ihr war im letzten Jahr dasselbe "
    "passiert. Wir tranken zusammen Kaffee und sprachen davon, wie man die Beete schützen könnte, "
    "ohne den Igeln zu schaden, die hinter dem Schuppen wohnen."
)
REPEATED = "The committee met at noon. The committee adjourned at one. " * 30


def doc(place: str) -> str:
    """A text of the corpus of examples: its author, topic and number."""
    return (CORPUS / f"{place}.txt").read_text("utf-8")


def docs(place: str, *numbers: int) -> list[str]:
    return [doc(f"{place}/{number}") for number in numbers]


def first_of(author: str) -> Path:
    return sorted((CORPUS / author).rglob("*.txt"))[0]


def whole(author: str) -> str:
    """All that an author of the corpus wrote."""
    return "\n\n".join(path.read_text("utf-8") for path in sorted((CORPUS / author).rglob("*.txt")))


def start(text: str, words: int) -> str:
    return " ".join(text.split()[:words])


def scrambled(text: str) -> str:
    """Its words in the order of the alphabet."""
    return " ".join(sorted(text.split()))


ANNA, ANNA_2, BRUNO, BRUNO_2 = map(essay, ("anna-1", "anna-2", "bruno-1", "bruno-2"))
AUTHORS = sorted(path.name for path in CORPUS.iterdir())

TRIALS: dict[str, Trial] = {
    "one voice, two subjects": (ANNA, [ANNA_2]),
    "another voice, two subjects": (BRUNO, [BRUNO_2]),
    "two voices, one subject": (ANNA, [BRUNO]),
    "two voices, two subjects": (ANNA_2, [BRUNO_2]),
    "a writer on one subject": (doc("ada/bread/1"), docs("ada/bread", 2)),
    "a writer on two subjects": (doc("ada/garden/1"), docs("ada/bread", 1)),
    "two writers on bread": (doc("ada/bread/1"), docs("bruno/bread", 1)),
    "two writers on gardens": (doc("clement/garden/1"), docs("dot/garden", 1)),
    "two writers on trains": (doc("edith/train-journey/1"), docs("farouk/train-journey", 1)),
    "two writers on computers": (doc("gwen/old-computer/1"), docs("hal/old-computer", 1)),
    "two writers on two subjects": (doc("hal/train-journey/1"), docs("gwen/bread", 1)),
    "two known texts": (ANNA, [ANNA_2, start(BRUNO, 300)]),
    "two known texts by another": (ANNA, [BRUNO, BRUNO_2]),
    "three known texts": (doc("ada/garden/1"), docs("ada/bread", 1, 2, 3)),
    "three known texts by another": (doc("bruno/train-journey/1"), docs("ada/bread", 1, 2, 3)),
    "three known texts on the subject": (doc("ada/garden/1"), docs("dot/garden", 1, 2, 3)),
    "four known texts": (
        doc("edith/garden/1"),
        [*docs("edith/train-journey", 1, 2, 3), doc("clement/garden/1")],
    ),
    "known texts by eight writers": (
        MAIL,
        [first_of(author).read_text("utf-8") for author in AUTHORS],
    ),
    "a known text given twice": (BRUNO, [ANNA, BRUNO_2, ANNA + "\n"]),
    "twenty-five words": (start(ANNA, 25), [ANNA_2]),
    "sixty words each": (start(ANNA, 60), [start(ANNA_2, 60)]),
    "sixty words each by two": (start(ANNA, 60), [start(BRUNO_2, 60)]),
    "two hundred words each": (start(ANNA, 200), [start(BRUNO, 200)]),
    "all that two writers wrote": (whole("ada"), [whole("edith")]),
    "two essays each": (f"{ANNA}\n\n{ANNA_2}", [f"{BRUNO}\n\n{BRUNO_2}"]),
    "longer than is read": ("\n\n".join(map(whole, AUTHORS)), [ANNA, BRUNO]),
    "a copy": (ANNA, [ANNA]),
    "half a copy": (f"{start(ANNA, 300)} {start(BRUNO, 300)}", [BRUNO_2, BRUNO]),
    "a quotation": (f"{ANNA_2} {start(BRUNO, 15)}", [BRUNO]),
    "letters of another age": (LETTER, [ANSWER_TO_LETTER]),
    "a letter of another age and an essay": (LETTER, [ANNA]),
    "chats": (CHAT, [MORE_CHAT]),
    "a chat and essays": (CHAT, [ANNA, ANNA_2]),
    "a mail and a text": (MAIL, docs("gwen/old-computer", 2)),
    "a list": (LIST, [MAIL]),
    "the same sentences again and again": (REPEATED, [ANNA]),
    "scrambled words": (scrambled(ANNA), [ANNA_2]),
    "another language": (GERMAN, [BRUNO]),
}


def adapted_model(folder: Path) -> Path:
    """The packaged model, adapted to a text of each writer and four pairs, some in `TRIALS`."""
    texts = tuple(map(first_of, AUTHORS))
    ada, dot = docs("ada/bread", 2, 3), docs("dot/garden", 2, 3)
    rows = [
        ("a", (ada[0], ada[1]), True),
        ("b", (dot[0], dot[1]), True),
        ("c", (ada[0], dot[0]), False),
        ("d", (ada[1], dot[1]), False),
    ]
    adapt(None, Brought(texts, *write(folder / "pairs", rows)), folder / "model")
    return folder / "model"


def stored() -> dict[str, dict[str, Answer]]:
    """The answers on record, by model and trial."""
    found = json.loads(FILE.read_text("utf-8"))
    return {
        model: {name: Answer(*answer) for name, answer in answers.items()}
        for model, answers in found.items()
    }


def main() -> None:
    before = stored() if FILE.exists() else {}
    with TemporaryDirectory() as folder:
        models = {"packaged": PACKAGED, "adapted": adapted_model(Path(folder))}
        found = {
            model: dict(
                zip(TRIALS, by_score(Verifier.load(place), list(TRIALS.values())), strict=True)
            )
            for model, place in models.items()
        }
    for model, answers in found.items():
        for name, (log10_lr, decision) in answers.items():
            old, new = before.get(model, {}).get(name), f"{log10_lr:+.4f}, {decision}"
            was = f"{old.log10_lr:+.4f}, {old.decision}" if old else "not there"
            if was != new:
                print(f"{model}, {name}: {new} (was {was})")
    rounded = {
        model: {name: [round(lr, 6), decision] for name, (lr, decision) in answers.items()}
        for model, answers in found.items()
    }
    FILE.write_text(json.dumps(rounded, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
