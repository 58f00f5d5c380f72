"""Text that a machine put out: templates, boilerplate, noise, dumps and logs."""

import base64
import json
import string
from collections.abc import Iterator
from random import Random

TEMPLATES = (
    "If you are looking for {adjective} {noun}, our {noun} in {place} is the {adjective} choice.",
    "We offer {adjective} {noun} for every {noun}, and our team in {place} is here to help you.",
    "Contact us today to find out more about {noun} and get a {adjective} {noun} in {place}.",
    "The {noun} of {place} is known for its {adjective} {noun} and its {adjective} {noun}.",
)
SLOTS = {
    "adjective": "great good new cheap fast local modern best trusted friendly simple quick",
    "noun": "service price house garden company product kitchen holiday car phone school doctor",
    "place": "London Bristol Leeds York Dover Oxford Boston Denver Dallas Austin Salem Dublin",
}  # fmt: skip
BOILERPLATE = (
    "This message is intended only for the person to whom it is addressed and may contain "
    "confidential information. If you have received it in error, please tell the sender at once "
    "and delete it. We do not accept any liability for damage caused by any virus. "
)
CODE = '''def load_{a}(path, {b}=None):
    """Return the {a} of the file, or {b} if it is not there."""
    if not path.exists():
        return {b}
    with path.open() as file:
        for line in file:
            if line.startswith("{c}"):
                {a}.append(line.strip().split("{d}")[{n}])
    return {a}

'''
LOG = (
    "{time} INFO  [{thread}] {a}.{b}: request {n} from 10.0.{m}.{k} was served in {k} ms",
    "{time} WARN  [{thread}] {a}.{c}: the connection to {b} was closed, will try again in {m} s",
    "{time} ERROR [{thread}] {b}.{d}: could not open the file /var/{a}/{c}-{n}.dat for reading",
    "{time} DEBUG [{thread}] {c}.{a}: cache of {d} has {n} entries and is {m} percent full",
)


def spun(n_words: int, rng: Random, _vocabulary: list[str]) -> str:
    """Each sentence from one of four templates."""

    def sentence() -> str:
        made = rng.choice(TEMPLATES)
        for slot, fillers in SLOTS.items():
            while f"{{{slot}}}" in made:
                made = made.replace(f"{{{slot}}}", rng.choice(fillers.split()), 1)
        return made

    return _fill(n_words, iter(sentence, ""), " ")


def boilerplate(n_words: int, _rng: Random, _vocabulary: list[str]) -> str:
    return _fill(n_words, iter(lambda: BOILERPLATE, ""), " ")


def random_words(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    """As out of a dictionary: each word as likely as any other."""
    return " ".join(rng.choice(vocabulary) for _ in range(n_words))


def random_characters(n_words: int, rng: Random, _vocabulary: list[str]) -> str:
    letters = string.ascii_lowercase + "     "
    return "".join(rng.choice(letters) for _ in range(7 * n_words))


def base64_lines(n_words: int, rng: Random, _vocabulary: list[str]) -> str:
    return base64.encodebytes(rng.randbytes(6 * n_words)).decode()


def json_dump(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    def record() -> str:
        return json.dumps(
            {
                "id": rng.randrange(10**6),
                "name": rng.choice(vocabulary),
                "is_new": rng.random() < 0.5,
                "tags": rng.sample(vocabulary, 3),
                "last_seen": f"2021-0{rng.randint(1, 9)}-{rng.randint(10, 28)}",
            },
            indent=1,
        )

    return "[\n" + _fill(n_words, iter(record, ""), ",\n") + "\n]"


def xml_dump(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    def record() -> str:
        one, other, third = rng.sample(vocabulary, 3)
        return (
            f'<item id="{rng.randrange(10**6)}" type="{one}">\n  <name>{other} {third}</name>\n'
            f"  <price>{rng.random() * 100:.2f}</price>\n</item>"
        )

    return "<list>\n" + _fill(n_words, iter(record, ""), "\n") + "\n</list>"


def csv_dump(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    def record() -> str:
        one, other = rng.sample(vocabulary, 2)
        return (
            f"{rng.randrange(10**5)},{one},{other},{rng.random():.3f},2020-11-{rng.randint(1, 30)}"
        )

    return "id,name,kind,value,date\n" + _fill(n_words, iter(record, ""), "\n")


def log_dump(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    def line() -> str:
        time = f"2022-03-14 {rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
        return _filled(
            rng.choice(LOG), rng, vocabulary, time=time, thread=f"main-{rng.randrange(8)}"
        )

    return _fill(n_words, iter(line, ""), "\n")


def code_dump(n_words: int, rng: Random, vocabulary: list[str]) -> str:
    return _fill(n_words, iter(lambda: _filled(CODE, rng, vocabulary), ""), "\n")


KINDS = (
    spun, boilerplate, random_words, random_characters, base64_lines, json_dump, xml_dump,
    csv_dump, log_dump, code_dump,
)  # fmt: skip


def _filled(template: str, rng: Random, vocabulary: list[str], **given: str) -> str:
    a, b, c, d = rng.sample(vocabulary, 4)
    n, m, k = rng.randrange(10_000), rng.randrange(100), rng.randrange(1_000)
    return template.format(a=a, b=b, c=c, d=d, n=n, m=m, k=k, **given)


def _fill(n_words: int, parts: Iterator[str], between: str) -> str:
    """Parts until there are words enough."""
    made: list[str] = []
    while len(between.join(made).split()) < n_words:
        made.append(next(parts))
    return between.join(made)
