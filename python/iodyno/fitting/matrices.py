"""Small symmetric systems of equations: what least squares needs, and no more.

Matrices are lists of rows; nothing is larger than a dozen parameters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Row = list[float]
Matrix = list[Row]


class SingularError(ArithmeticError):
    """A matrix that is not positive definite."""


def normal(jacobian: Sequence[Sequence[float]], residuals: Sequence[float]) -> tuple[Matrix, Row]:
    """Give Jᵀ·J and Jᵀ·r.

    Parameters
    ----------
    jacobian
        One row a residual, one column a parameter.
    residuals
        One a row.
    """
    width = len(jacobian[0])
    product = [[sum(row[i] * row[j] for row in jacobian) for j in range(width)] for i in range(width)]
    gradient = [sum(row[i] * r for row, r in zip(jacobian, residuals, strict=True)) for i in range(width)]
    return product, gradient


def cholesky(matrix: Matrix) -> Matrix:
    """Give the lower triangle L with L·Lᵀ the matrix.

    Raises
    ------
    SingularError
        If the matrix is not positive definite.
    """
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                if not rest > 1e-14 * max(matrix[i][i], 1e-300):
                    raise SingularError(f"row {i}")
                lower[i][i] = math.sqrt(rest)
            else:
                lower[i][j] = rest / lower[j][j]
    return lower


def solve(matrix: Matrix, right: Sequence[float]) -> Row:
    """Solve matrix · x = right for a symmetric positive definite matrix.

    Raises
    ------
    SingularError
        If the matrix is not positive definite.

    Examples
    --------
    >>> [round(value, 9) for value in solve([[4.0, 0.0], [0.0, 2.0]], [8.0, 1.0])]
    [2.0, 0.5]
    """
    lower = cholesky(matrix)
    size = len(matrix)
    half = [0.0] * size
    for i in range(size):
        half[i] = (right[i] - sum(lower[i][k] * half[k] for k in range(i))) / lower[i][i]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (half[i] - sum(lower[k][i] * found[k] for k in range(i + 1, size))) / lower[i][i]
    return found


def eigen(matrix: Matrix) -> tuple[Row, Matrix]:
    """Give eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations.

    Returns
    -------
    tuple
        Eigenvalues, and one row an eigenvector of length 1, in the same order.
    """
    size = len(matrix)
    work = [list(row) for row in matrix]
    vectors = [[float(i == j) for j in range(size)] for i in range(size)]
    for _ in range(60 * size * size):
        p, q = _largest_off_diagonal(work)
        if p == q or abs(work[p][q]) <= 1e-15 * math.sqrt(abs(work[p][p] * work[q][q])) + 1e-300:
            break
        _rotate(work, vectors, p, q)
    return [work[i][i] for i in range(size)], vectors


def _largest_off_diagonal(matrix: Matrix) -> tuple[int, int]:
    places = [(i, j) for i in range(len(matrix)) for j in range(i + 1, len(matrix))]
    return max(places, key=lambda place: abs(matrix[place[0]][place[1]]), default=(0, 0))


def _rotate(work: Matrix, vectors: Matrix, p: int, q: int) -> None:
    angle = 0.5 * math.atan2(2 * work[p][q], work[q][q] - work[p][p])
    c, s = math.cos(angle), math.sin(angle)
    for row in work:
        row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    work[p], work[q] = (
        [c * a - s * b for a, b in zip(work[p], work[q], strict=True)],
        [s * a + c * b for a, b in zip(work[p], work[q], strict=True)],
    )
    vectors[p], vectors[q] = (
        [c * a - s * b for a, b in zip(vectors[p], vectors[q], strict=True)],
        [s * a + c * b for a, b in zip(vectors[p], vectors[q], strict=True)],
    )
