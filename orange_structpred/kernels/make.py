"""Input kernels by name."""
from __future__ import annotations

import inspect
from collections.abc import Callable

from orange_structpred.kernels.bags import (
    BagOfWords,
    Constant,
    Gaussian,
    PolynomialBagOfWords,
)
from orange_structpred.kernels.base import InputKernel
from orange_structpred.kernels.combine import Normalized, Product, Sum
from orange_structpred.kernels.custom import FunctionKernel, Precomputed
from orange_structpred.kernels.errors import KernelError
from orange_structpred.kernels.nystroem import Nystroem
from orange_structpred.kernels.sequences import AnnotatedNgram, Ngram
from orange_structpred.kernels.trees import SubsetTree

#: kernels on inputs, by name
KERNELS: dict[str, type[InputKernel]] = {
    kernel.name: kernel for kernel in (
        Constant, BagOfWords, PolynomialBagOfWords, Gaussian, Ngram, AnnotatedNgram)}
_OF_ONE: dict[str, type[InputKernel]] = {"normalized": Normalized, "nystroem": Nystroem}
_OF_MANY: dict[str, type[InputKernel]] = {"sum": Sum, "product": Product}
#: all that `make_kernel` makes by its name
KERNEL_NAMES = (*KERNELS, *_OF_ONE, *_OF_MANY)


def make_kernel(spec: str | dict | Callable | InputKernel, **params) -> InputKernel:
    """An input kernel.

    Parameters
    ----------
    spec : str, dict, callable or InputKernel
        A name ("constant", "bow", "poly-bow", "gaussian", "ngram",
        "annotated-ngram"), or several joined by + for their sum; a dictionary as returned by a
        kernel's params(); a function k(x, x'); or a kernel, which is returned unchanged.
    **params
        Parameters of the kernel. In a sum, each goes to the kernels that have it. For
        "normalized" and "nystroem", `of` is the underlying kernel; for "sum" and
        "product", `kernels` is a list. For the dictionary of a function kernel,
        `function` must be passed again, for that of a precomputed one, `matrix` and
        `inputs`: a saved model contains neither code nor matrices.

    Examples
    --------
    >>> make_kernel("ngram", n=4)
    Ngram(n=4, decay=0.5, normalized=True, layer='form')
    >>> make_kernel("constant+bow", normalized=True)
    Sum([Constant(value=1.0), BagOfWords(layer='form', normalized=True)], weights=[1.0, 1.0])
    >>> make_kernel(make_kernel("normalized", of="poly-bow").params())
    Normalized(PolynomialBagOfWords(degree=2, layer='form', normalized=False))
    """
    if isinstance(spec, InputKernel):
        if params:
            raise KernelError(f"{spec!r} is already a kernel; leave out the parameters "
                              f"{', '.join(params)}")
        return spec
    if isinstance(spec, str):
        return _sum_of_names(spec, params) if "+" in spec else _named(spec, params)
    if isinstance(spec, dict):
        if "kernel" not in spec:
            raise KernelError(f"found {spec!r}, expected an entry 'kernel' with a name")
        return _named(spec["kernel"], {key: value for key, value in
                                       {**spec, **params}.items() if key != "kernel"})
    if callable(spec):
        return _made(FunctionKernel, "function", {"function": spec, **params})
    raise KernelError(f"found {spec!r}, expected a kernel's name, its parameters, a "
                      "function or a kernel")


def kernel_from_params(params: object) -> InputKernel:
    """A kernel out of a model's file: what `params()` of a kernel gave.

    No kernel but those that can be made by name, and no trees: a kernel on the trees
    that a parser is to find would know the answer.
    """
    if not isinstance(params, dict):
        raise KernelError("the parameters of the kernel are missing")
    name = params.get("kernel")
    if name in ("function", "precomputed"):
        return _named(name, {key: params[key] for key in params if key == name})
    if not isinstance(name, str) or name not in KERNEL_NAMES:
        raise KernelError(f"kernel {name!r:.60} is not known; choose from "
                          + ", ".join(KERNEL_NAMES))
    values = {key: value for key, value in params.items() if key != "kernel"}
    if name in _OF_ONE:
        values["of"] = kernel_from_params(values.get("of"))
    elif name in _OF_MANY:
        parts = values.get("kernels")
        values["kernels"] = [kernel_from_params(part) for part in (
            parts if isinstance(parts, list) else [None])]
    return _named(name, values)


def _named(name: str, params: dict) -> InputKernel:
    if name in KERNELS:
        return _made(KERNELS[name], name, params)
    if name in _OF_ONE:
        return _made(_OF_ONE[name], name, _renamed(name, params, "of", make_kernel))
    if name in _OF_MANY:
        return _made(_OF_MANY[name], name, _renamed(
            name, params, "kernels", lambda specs: [make_kernel(s) for s in specs]))
    if name == SubsetTree.name:     # restored, but not on offer: see `refuse_trees`
        return _made(SubsetTree, name, params)
    if name == "function":
        if not callable(params.get("function")):
            raise KernelError(
                f"the kernel was the Python function {params.get('function')!r}, which is "
                                "not saved with a model; pass it again as `function`")
        return FunctionKernel(params["function"])
    if name == "precomputed":
        if "matrix" not in params or "inputs" not in params:
            raise KernelError("kernel 'precomputed' needs its matrix, which is not saved with "
                              "a model; pass Precomputed(matrix, inputs)")
        return Precomputed(params["matrix"], params["inputs"])
    raise KernelError(f"kernel {name!r} is not known; choose from "
                      + ", ".join(KERNEL_NAMES))


def _renamed(name: str, params: dict, key: str, convert: Callable) -> dict:
    """Parameters with the kernels that a combination is made of as kernels."""
    if key not in params:
        raise KernelError(f"kernel {name!r} needs {key!r}: the kernels it is made "
                          "of")
    others = {other: value for other, value in params.items() if other != key}
    return {"kernel" if key == "of" else key: convert(params[key]), **others}


def _sum_of_names(spec: str, params: dict) -> InputKernel:
    names = [name.strip() for name in spec.split("+")]
    unused = dict(params)
    kernels = []
    for name in names:
        known = _parameters(KERNELS[name]) if name in KERNELS else ()
        kernels.append(_named(name, {key: value for key, value in params.items()
                                     if key in known}))
        for key in known:
            unused.pop(key, None)
    if unused:
        raise KernelError(f"kernel {spec!r}: found {', '.join(unused)}, which is not "
                          "a parameter of any of its parts")
    return Sum(kernels)


def _parameters(kernel: type[InputKernel]) -> list[str]:
    return list(dict.fromkeys([*kernel.options, *inspect.signature(kernel).parameters]))


def _made(kernel: type[InputKernel], name: str, params: dict) -> InputKernel:
    known = _parameters(kernel)
    for key in params:
        if key not in known:
            raise KernelError(f"kernel {name!r}: found parameter {key!r}, expected "
                              f"{', '.join(known) or 'none'}")
    return kernel(**params)
