"""The text of a PDF file.

A PDF holds no paragraphs, only characters at places on pages. From the lines they make
(`extracting`), those at the edges of pages that are no text are left out (`edges`), and paragraphs
are made of the others (`unwrapping`), whose words may be broken at line ends (`hyphens`). `text`
does all of it.
"""
