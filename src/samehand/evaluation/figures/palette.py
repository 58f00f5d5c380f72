"""Two colours that differ in hue and in lightness (after Okabe and Ito), each with its own line."""

SAME = "#0072b2"
DIFFERENT = "#e69f00"
GUIDE = "0.45"

SAME_LINE = "-"
DIFFERENT_LINE = (0, (5, 1.5))
GUIDE_LINE = (0, (1, 2))
