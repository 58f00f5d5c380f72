"""Names, for reading, of the genres of the packaged model and of the trials it was measured on.

A model states its genres by short names, those of the collections it learned from. A short name
that is not known here stands for itself.
"""

from collections.abc import Iterable, Sequence

FAMILIES: dict[str, dict[str, str]] = {
    "Blogs and personal sites": {
        "blogs": "personal blogs, 2004",
        "carpentries_blog": "blog of a teaching community",
        "gov_bloggers": "blogs of civil servants",
        "personal_sites": "essays on personal sites",
        "scholar_blogs": "blogs of scholars",
        "techblogs": "technology blogs with several authors",
        "useperl_journals": "journals of programmers",
    },
    "Mailing lists and Usenet": {
        "cobol": "Usenet group of programmers (COBOL)",
        "cypherpunks": "mailing list, 1990s (Cypherpunks)",
        "extropians": "mailing list, 1990s (Extropians)",
        "git": "mailing list of software developers (Git)",
        "hobby_groups": "groups of hobbyists",
        "indology_list": "mailing list of scholars (Indology)",
        "mpi": "mailing list of a standard (MPI)",
        "philosophy": "mailing list on philosophy",
        "porsche_lists": "mailing lists of car owners",
        "rest_discuss_list": "mailing list of software developers (REST)",
        "rhelp": "mailing list of software users (R)",
        "sdr_radio_list": "mailing list on radio",
        "taoism_forum": "forum on Taoism",
    },
    "Forums, reviews and posts": {
        "bbs_textfiles": "text files of bulletin boards",
        "bitcoin_research_forum": "forum on cryptocurrency research",
        "debates": "political forum",
        "gbadev_forum": "forum of game developers (GBA)",
        "maker_forums": "forums of makers",
        "medical_imaging_forum": "forum on medical imaging",
        "nesdev_forum": "forum of game developers (NES)",
        "reddit_college": "forums on college life",
        "reviews_music": "customers' reviews of records",
        "roleplay_forum": "role-playing forum",
        "stackexchange_small": "questions and answers",
        "tweets_people": "tweets, joined",
    },
    "Chat, messages and mail": {
        "commits": "commit messages",
        "discord_crypto": "chat on cryptocurrency",
        "email_2002": "e-mail of a company, 2002",
        "github_issues_ietf": "comments on issues (IETF)",
        "irc_perl": "chat of programmers (Perl)",
        "irc_webstd": "chat on web standards",
        "lean": "chat of mathematicians and programmers (Lean)",
        "slack_dev": "chat of software developers",
        "sms_nus": "text messages",
    },
    "Letters": {
        "letters": "letters, 1774–1789",
        "letters_19c": "letters, 19th century",
    },
    "Journalism": {
        "magazine_1910s": "magazine articles, 1910s",
        "news_entertainment": "news on entertainment",
        "news_reporters": "news by reporters",
    },
    "Study, science and reference": {
        "dh_articles": "articles in the humanities",
        "encyclopaedia_1880s": "signed encyclopaedia articles, 1880s",
        "encyclopedia_modern": "signed encyclopaedia articles, today",
        "fce_exam": "examination essays of learners of English",
        "proposals": "technical proposals",
        "rfc_single": "Internet standards",
        "student_papers": "students' papers",
    },
    "Fiction and plays": {
        "fanfic": "fan fiction",
        "fiction": "novels, 1900–1969",
        "novels_us_1850s": "American novels, 1850s",
        "pulp_sf": "magazine stories, science fiction",
        "screenplays": "screenplays",
        "short_fiction_modern": "short stories, today",
    },
    "Early print": {
        "drama_early": "plays and other early modern print",
        "pamphlets_us_18c": "American pamphlets, 18th century",
        "prose_gb_18c": "British prose, 18th century",
        "sermons_18c": "sermons, 18th century",
    },
    "Speech, written down": {
        "court": "oral argument in court",
        "ethereum_calls": "meetings of software developers",
        "judgments_singapore": "judgments (Singapore)",
        "lds_sermons": "sermons, 20th century",
        "meetings_ami": "design meetings",
        "podcasts_changelog": "podcasts on software",
        "talks_podcasts_tech": "talks and podcasts on technology",
        "tc39_meetings": "meetings on a standard (TC39)",
    },
    "Parliaments": {
        "cad_india": "Constituent Assembly of India, 1946–50",
        "hansard_australia": "Parliament of Australia",
        "hansard_singapore": "Parliament of Singapore",
        "hansard_south_africa": "Parliament of South Africa",
        "hansard_uganda": "Parliament of Uganda",
        "parliaments_small": "parliaments and assemblies, small collections",
    },
}
"""Genres that are alike, by the name of what they have in common."""

NAMES = {short: name for genres in FAMILIES.values() for short, name in genres.items()}
"""The name of each genre by its short name."""


def genre_name(short: str) -> str:
    """The name of a genre, or its short name if it has no other."""
    return NAMES.get(short, short)


def by_family(genres: Iterable[str]) -> dict[str, list[str]]:
    """Short names by family, in the order of the families; those of no family come last, alone."""
    given = list(genres)
    found = {
        family: [short for short in given if short in known] for family, known in FAMILIES.items()
    }
    alone = {short: [short] for short in given if short not in NAMES}
    return {family: inside for family, inside in found.items() if inside} | alone


def in_families(genres: Sequence[str]) -> str:
    """Families of genres with their numbers; a genre that has none by its own name."""
    found = by_family(genres)
    told = [
        f"{family[0].lower()}{family[1:]} ({len(inside)})" if family in FAMILIES else family
        for family, inside in found.items()
    ]
    return f"{len(genres):,}: {', '.join(told)}"
