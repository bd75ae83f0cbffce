"""Ask the processor for an element of an array before it is needed."""
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic


def _prefetch(typing_context, array, index):
    if not (isinstance(array, types.Array) and isinstance(index, types.Integer)):
        return None

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(
            context, builder, arguments[0]).data
        byte = cgutils.voidptr_t
        number = ir.IntType(32)
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, number, number, number]),
            "llvm.prefetch.p0i8")
        # to be read, once more soon, as data
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


#: prefetch(array, index): start to read array[index] of a contiguous array. Code that is
#: not compiled has no use for it.
prefetch = intrinsic(_prefetch) if not config.DISABLE_JIT else lambda array, index: None
