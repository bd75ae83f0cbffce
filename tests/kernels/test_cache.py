import numpy as np
import pytest

from orange_structpred.kernels import (
    FunctionKernel,
    Ngram,
    SubsetTree,
    Sum,
    Tree,
    cached_gram,
    make_kernel,
)
from orange_structpred.running.cancellation import Cancelled
from tests.kernels.toys import TOYS


class Counted(Ngram):
    """Counts how often values are computed."""

    computed = 0

    def values(self, *args):
        type(self).computed += 1
        return super().values(*args)


@pytest.fixture
def counted():
    Counted.computed = 0
    return Counted(n=3)


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_second_time_from_the_file(counted, tmp_path):
    expected = Ngram(n=3).gram(TOYS)
    for _ in range(3):
        assert (cached_gram(counted, TOYS, tmp_path / "new" / "folder") == expected).all()
    assert counted.computed == 1
    assert len(files(tmp_path / "new" / "folder")) == 1


def test_a_plain_npy_file(tmp_path):
    gram = cached_gram(Ngram(), TOYS, tmp_path)
    assert (np.load(tmp_path / files(tmp_path)[0]) == gram).all()


def test_what_is_returned_can_be_written_but_the_file_stays(tmp_path):
    first = cached_gram(Ngram(), TOYS, tmp_path)
    assert type(first) is np.ndarray and first.dtype == np.float32
    first[:] = 0
    second = cached_gram(Ngram(), TOYS, tmp_path)
    assert second[0, 0] == pytest.approx(1)


def test_other_sentences_order_or_parameters_are_another_file(counted, tmp_path):
    for kernel, sentences in [(Counted(n=3), TOYS), (Counted(n=2), TOYS),
                              (Counted(n=3), TOYS[::-1]), (Counted(n=3), TOYS[:-1]),
                              (Counted(n=3, decay=0.4), TOYS)]:
        assert (cached_gram(kernel, sentences, tmp_path)
                == make_kernel(kernel.params()).gram(sentences)).all()
    assert Counted.computed == len(files(tmp_path)) == 5


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:50], lambda data: data[:-5],
    lambda data: data + b"x", lambda data: b"PK" + data[2:],
    lambda data: data[:140] + bytes([data[140] ^ 1]) + data[141:],
    lambda data: data[:-1] + bytes([data[-1] ^ 1])])
def test_damaged_files_are_computed_anew(counted, tmp_path, damage):
    expected = cached_gram(counted, TOYS, tmp_path).copy()
    path = tmp_path / files(tmp_path)[0]
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(damage(whole))
    assert (cached_gram(counted, TOYS, tmp_path) == expected).all()
    assert counted.computed == 2
    assert path.read_bytes() == whole
    assert len(files(tmp_path)) == 1


def test_cancelled_work_leaves_no_file(tmp_path):
    with pytest.raises(Cancelled):
        cached_gram(Ngram(), TOYS, tmp_path, progress=lambda share: False)
    assert files(tmp_path) == []


def test_progress_is_told_at_once_if_the_file_is_there(tmp_path):
    cached_gram(Ngram(), TOYS, tmp_path)
    told = []
    cached_gram(Ngram(), TOYS, tmp_path, progress=told.append)
    assert told == [1.0]


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.warns(UserWarning, match="could not be saved in"):
        gram = cached_gram(Ngram(), TOYS, tmp_path / "file")
    assert (gram == Ngram().gram(TOYS)).all()


def test_functions_are_not_kept(tmp_path):
    factor = [1.0]
    kernel = Sum([FunctionKernel(lambda a, b: factor[0])])
    assert cached_gram(kernel, TOYS, tmp_path)[0, 0] == 1
    factor[0] = 2.0
    assert cached_gram(kernel, TOYS, tmp_path)[0, 0] == 2
    assert files(tmp_path) == []


def test_trees_and_no_sentences_at_all(tmp_path):
    trees = [Tree.parse("(A x)"), Tree.parse("(A y)")]
    for _ in range(2):
        assert (cached_gram(SubsetTree(), trees, tmp_path) == np.eye(2)).all()
        assert cached_gram(Ngram(), [], tmp_path).shape == (0, 0)
