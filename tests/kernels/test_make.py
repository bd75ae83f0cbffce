import json

import numpy as np
import pytest

from orange_structpred.kernels import (
    KERNELS,
    BagOfWords,
    Constant,
    Gaussian,
    KernelError,
    Ngram,
    Normalized,
    Nystroem,
    PolynomialBagOfWords,
    Precomputed,
    Product,
    Sum,
    make_kernel,
)
from tests.kernels.toys import TOYS

ALL = [*(make_kernel(name) for name in KERNELS), Ngram(n=np.int64(3), decay=1),
       PolynomialBagOfWords(degree=4, layer="lemma"), Gaussian(gamma=2.0),
       Sum([Constant(value=2.0), Ngram()], weights=[1, 0.5]),
       Product([BagOfWords(), Normalized(PolynomialBagOfWords())]),
       Nystroem(Sum([Constant(), Ngram()]), landmarks=5, random_state=3)]


def test_names():
    assert list(KERNELS) == ["constant", "bow", "poly-bow", "gaussian", "ngram",
                             "annotated-ngram"]


@pytest.mark.parametrize("kernel", ALL, ids=repr)
def test_params_there_and_back(kernel):
    params = json.loads(json.dumps(kernel.params()))
    again = make_kernel(params)
    assert again == kernel and type(again) is type(kernel)
    if not isinstance(kernel, Nystroem):
        assert (again.gram(TOYS) == kernel.gram(TOYS)).all()


def test_all_kernels_differ():
    assert all((a == b) == (a is b) for a in ALL for b in ALL)


def test_parameters():
    assert make_kernel("ngram", n=3, decay=0.25) == Ngram(n=3, decay=0.25)
    assert make_kernel({"kernel": "ngram", "n": 3}, decay=0.25) == Ngram(n=3, decay=0.25)
    kernel = Ngram()
    assert make_kernel(kernel) is kernel


def test_sums_and_combinations_by_name():
    assert make_kernel("constant + ngram", n=2) == Sum([Constant(), Ngram(n=2)])
    assert make_kernel("normalized", of="bow") == Normalized(BagOfWords())
    assert make_kernel("nystroem", of="ngram", landmarks=7) == Nystroem(Ngram(),
                                                                        landmarks=7)
    assert make_kernel("product", kernels=["bow", {"kernel": "ngram", "n": 2}]) == \
        Product([BagOfWords(), Ngram(n=2)])


def test_a_function_has_to_be_given_again():
    def length(a, b):
        return len(a) * len(b)

    params = json.loads(json.dumps(make_kernel(length).params()))
    with pytest.raises(KernelError, match="length'.*pass it again"):
        make_kernel(params)
    again = make_kernel(params, function=length)
    assert (again.gram(TOYS) == make_kernel(length).gram(TOYS)).all()


def test_a_matrix_has_to_be_given_again():
    gram = Ngram().gram(TOYS)
    params = json.loads(json.dumps(Precomputed(gram, TOYS).params()))
    with pytest.raises(KernelError, match=r"pass Precomputed\(matrix, inputs\)"):
        make_kernel(params)
    assert (make_kernel(params, matrix=gram, inputs=TOYS).gram(TOYS) == gram).all()


@pytest.mark.parametrize("spec, params, message", [
    ("ngramm", {}, "kernel 'ngramm' is not known; choose from constant, bow"),
    ("ngram", {"degree": 2}, "found parameter 'degree', expected n, decay"),
    ("constant+bow", {"degree": 2}, "found degree, which is not a parameter"),
    ("constant+bag", {}, "kernel 'bag' is not known"),
    ({"n": 3}, {}, "expected an entry 'kernel'"),
    (3, {}, "found 3, expected a kernel's name"),
    ("normalized", {}, "needs 'of'"),
    (Ngram(), {"n": 2}, "is already a kernel; leave out the parameters n")])
def test_what_makes_no_kernel(spec, params, message):
    with pytest.raises(KernelError, match=message):
        make_kernel(spec, **params)
