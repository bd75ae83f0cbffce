"""Blocks, threads, progress, cancelling, memory: what all kernels share."""
import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.kernels import (
    AnnotatedNgram,
    BagOfWords,
    Gaussian,
    Ngram,
    SubsetTree,
    Sum,
    TooLarge,
    make_kernel,
)
from orange_structpred.kernels.base import row_blocks
from orange_structpred.running import memory
from orange_structpred.running.cancellation import Cancelled
from tests.kernels.toys import TOYS

KERNELS = [BagOfWords(), Gaussian(), Ngram(), AnnotatedNgram(), SubsetTree(),
           Sum([BagOfWords(), AnnotatedNgram()])]
MANY = [TOYS[i % len(TOYS)] for i in range(50)]


@pytest.fixture(params=KERNELS, ids=repr)
def kernel(request):
    """A kernel whose blocks are small, so that 50 sentences make many."""
    made = make_kernel(request.param.params())
    made.pairs_in_block = 100
    return made


def test_threads_and_blocks_change_no_value(kernel):
    whole = make_kernel(kernel.params())
    assert (kernel.gram(MANY) == whole.gram(MANY)).all()
    assert (kernel.gram(MANY, n_jobs=3) == whole.gram(MANY)).all()
    assert (kernel.gram(MANY[:7], MANY, n_jobs=2) == whole.gram(MANY[:7], MANY)).all()


def test_half_and_whole_agree(kernel):
    np.testing.assert_allclose(kernel.gram(MANY), kernel.gram(MANY, MANY), rtol=1e-6)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress(kernel, n_jobs):
    told = []
    kernel.gram(MANY, n_jobs=n_jobs, progress=told.append)
    assert len(told) > 10
    assert told == sorted(told) and told[-1] == 1.0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cancelling(kernel, n_jobs):
    told = []

    def stop(share):
        told.append(share)
        if len(told) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        kernel.gram(MANY, n_jobs=n_jobs, progress=stop)
    assert len(told) == 3


def test_an_error_in_a_block_reaches_the_caller():
    kernel = make_kernel("poly-bow", degree=1)
    kernel.pairs_in_block = 10
    broken = kernel.values

    def values(*args):
        inner = broken(*args)

        def block(start, stop, first):
            if start > 10:
                raise RuntimeError("broken block")
            return inner(start, stop, first)

        return block

    kernel.values = values
    for n_jobs in (1, 2):
        with pytest.raises(RuntimeError, match="broken block"):
            kernel.gram(MANY, n_jobs=n_jobs)


def test_no_sentences(kernel):
    assert kernel.gram([]).shape == (0, 0)
    assert kernel.gram([], MANY).shape == (0, 50)
    assert kernel.gram(MANY, []).shape == (50, 0)
    assert kernel.diagonal([]).shape == (0,)


def test_one_pair(kernel):
    assert kernel(TOYS[0], TOYS[1]) == pytest.approx(
        kernel.gram(TOYS[:2])[0, 1], rel=1e-6)


@pytest.mark.parametrize("symmetric", [False, True])
def test_blocks_cover_all_rows_once(symmetric):
    blocks = list(row_blocks(53, 53, symmetric, 200))
    assert [start for start, _, _ in blocks[1:]] == [stop for _, stop, _ in blocks[:-1]]
    assert blocks[0][0] == 0 and blocks[-1][1] == 53
    for start, stop, first in blocks:
        assert first == (start if symmetric else 0)
        assert (stop - start) * (53 - first) <= max(200, 53 - first)


def test_a_matrix_that_does_not_fit(kernel, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000)
    with pytest.raises(TooLarge) as caught:
        kernel.gram(MANY, MANY * 2)
    message = str(caught.value)
    for part in ("50 x 100 inputs", "0.0 GB", "fewer inputs", "Nystroem"):
        assert part in message
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, InputError)
    assert kernel.gram(MANY[:10]).shape == (10, 10)


def test_it_is_said_before_any_work_is_done(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10)
    kernel = make_kernel(lambda a, b: pytest.fail("work was done"))
    with pytest.raises(TooLarge):
        kernel.gram(TOYS)


def test_this_machine_says_how_much_memory_is_free():
    free = memory.available_memory()
    assert 1 << 20 < free < 1 << 50


def test_limit_of_a_container(tmp_path):
    (tmp_path / "memory.current").write_text("300\n")
    assert memory._container_memory(tmp_path) is None
    (tmp_path / "memory.max").write_text("1000\n")
    assert memory._container_memory(tmp_path) == 700
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._container_memory(tmp_path) is None
