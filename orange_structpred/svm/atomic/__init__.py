"""Joint kernels: input kernel x atomic output kernels (thesis, chapter 4)."""
