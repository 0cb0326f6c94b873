"""Why a call may take more than 1.25 times NumPy's at four elements; by the label of the pair."""

__all__ = ["REASONS"]

REASONS: dict[str, str] = {}
