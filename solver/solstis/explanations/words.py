"""Numbers of an explanation in words. What is rounded here stays true."""

from dataclasses import dataclass
from fractions import Fraction

from solver.solstis.choose import SolstisObjective
from solver.solstis.explanations.claims import Amount
from solver.text_layout import count

__all__ = ["Amounts", "chance_words", "points"]

_SMALL = 0.005


def points(amount: Amount, signed: bool = True) -> str:
    """Return a number of points: whole ones as they are, others with two decimals.

    Examples
    --------
    >>> points(Fraction(7)), points(Fraction(27, 5)), points(-0.001), points(2.5, signed=False)
    ('+7', '+5.40', '0.00', '2.50')
    """
    if isinstance(amount, Fraction) and amount.denominator == 1:
        return f"{int(amount):+d}" if signed and amount else str(int(amount))
    number = float(amount)
    if abs(number) < _SMALL:
        return "0.00"
    return f"{number:+.2f}" if signed else f"{number:.2f}"


def chance_words(chance: Fraction) -> str:
    """Return a chance in words.

    Examples
    --------
    >>> chance_words(Fraction(1, 30)), chance_words(Fraction(2, 15)), chance_words(Fraction(1))
    ('1 in 30', '2 in 15', 'certain')
    """
    return "certain" if chance == 1 else f"{chance.numerator} in {chance.denominator}"


@dataclass(frozen=True)
class Amounts:
    """How values are written: points under ``margin``, percent under ``win``."""

    objective: SolstisObjective

    def value(self, amount: Amount) -> str:
        """Return a value.

        Examples
        --------
        >>> Amounts("margin").value(Fraction(27, 5)), Amounts("win").value(0.5321)
        ('+5.40', '53.2%')
        """
        return f"{100 * float(amount):.1f}%" if self.objective == "win" else points(amount)

    def change(self, amount: Amount) -> str:
        """Return a difference of two values.

        Examples
        --------
        >>> Amounts("margin").change(-1.5), Amounts("win").change(-0.031)
        ('-1.50', '-3.1')
        """
        if self.objective == "margin":
            return points(amount)
        tenths = f"{100 * float(amount):+.1f}"
        return "0.0" if tenths in ("+0.0", "-0.0") else tenths

    def size(self, amount: Amount) -> str:
        """Return a difference or an error without its sign."""
        return self.change(-amount if amount < 0 else amount).lstrip("+")

    def unit(self, amount: Amount = 0.0) -> str:
        """Return what differences are counted in."""
        if self.objective == "win":
            return "percentage points"
        return "point" if abs(amount) == 1 else "points"

    def error(self, error: float | None) -> str:
        """Return a standard error, or nothing where there is none."""
        if error is None:
            return ""
        return f"+-{self.size(error)}" if error < float("inf") else "+-?"

    def said(self, value: Amount) -> str:
        """Return a value as a sentence says it.

        Examples
        --------
        >>> Amounts("margin").said(Fraction(-27, 5)), Amounts("win").said(0.5)
        ('-5.40 points (exactly -27/5)', '50.0% to win (a draw counts half)')
        """
        if self.objective == "win":
            return f"{self.value(value)} to win (a draw counts half)"
        if isinstance(value, Fraction) and value.denominator > 1:
            return f"{points(value)} points (exactly {value})"
        number = abs(int(value)) if isinstance(value, Fraction) else 2
        return f"{points(value)} {count(number, 'point').partition(' ')[2]}"
