r"""Formulas of the documentation, set without scripts: TeX becomes MathML when the site is built.

MkDocs loads this file (``hooks`` in mkdocs.yml). Formulas are written as the places where they
stand want them: on pages in ``math`` fences, which code hosts set too; in docstrings as numpydoc
has them, in a ``.. math::`` block or inline after ``:math:``.
"""

import re
from typing import Any

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

__all__ = ["Formulas", "displayed", "on_config"]

_INLINE = r":math:`([^`]+)`"
_DISPLAYED = re.compile(r"^\.\. math::(?P<line>.*)\n(?P<block>(?:[ \t]*\n|[ \t]+.*\n)*)", re.M)


def displayed(tex: str, *_: Any, **__: Any) -> str:
    """Return a formula that stands by itself, as HTML; a formatter of fences too."""
    # What is maximised over stands below, as TeX sets it.
    below = re.sub(r"\\(max|min)_", r"\\\1\\limits_", tex.strip())
    return f'<div class="formula">{convert(below, display="block")}</div>'


class _Displayed(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        def stash(match: re.Match[str]) -> str:
            html = displayed(f"{match['line']}\n{match['block']}")
            return f"\n{self.md.htmlStash.store(html)}\n\n"

        return _DISPLAYED.sub(stash, "\n".join([*lines, ""])).split("\n")


class _Inline(InlineProcessor):
    def handleMatch(  # noqa: N802
        self, match: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        return self.md.htmlStash.store(convert(match[1])), match.start(0), match.end(0)


class Formulas(Extension):
    """The two forms that docstrings have."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Look for formulas after fences are read, and before code in backticks is."""
        md.preprocessors.register(_Displayed(md), "displayed formulas", 22)
        md.inlinePatterns.register(_Inline(_INLINE, md), "inline formulas", 195)


def on_config(config: Any) -> Any:
    """Have all three forms set."""
    fences = config["mdx_configs"].setdefault("pymdownx.superfences", {})
    fences.setdefault("custom_fences", []).append(
        {"name": "math", "class": "formula", "format": displayed}
    )
    config["markdown_extensions"].append(Formulas())
    return config
