"""Sums of rows by number: right, and the same to the bit each time."""

import pytest
import torch

pytest.importorskip("triton")


@pytest.mark.parametrize(("n", "sums"), [(0, 3), (1, 3), (64, 2), (65, 70), (900, 3), (2_000, 700)])
@pytest.mark.parametrize("width", [200, 520])
def test_sums_of_rows_are_those_of_double_precision(n, sums, width, dtype, device):
    from samehand.network.kernels.row_sums_triton import sum_rows

    g = torch.Generator().manual_seed(n)
    rows = torch.randn(2, n, width, generator=g).to(device, dtype)
    # Some numbers are frequent, most are rare, some are missing.
    numbers = (torch.rand(n, generator=g) ** 4 * sums).long().to(device)
    exact = torch.zeros(sums, 2, width, dtype=torch.double, device=device)
    exact.index_add_(0, numbers, rows.double().transpose(0, 1))
    found = sum_rows(rows, numbers, sums)
    assert found.dtype == torch.float32
    assert (found - exact).norm() <= 1e-5 * exact.norm()
    assert torch.equal(found, sum_rows(rows, numbers, sums))
