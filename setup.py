import re
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
LIBRARY = "orange_structpred"
# Where the source and the issue tracker are, as "https://github.com/NAME/PROJECT".
# Nothing is published yet: until this is set, no link is better than a wrong one.
REPOSITORY = ""

# The version has one place. It is read, not imported: what the package requires need
# not be installed yet.
VERSION = re.search(r'^__version__ = "(.+)"$',
                    (HERE / LIBRARY / "__init__.py").read_text(encoding="utf-8"),
                    re.MULTILINE)[1]

# The repository keeps widgets/, icons/, workflows/ and doc/ at its top level; the
# installed package has them inside, where Orange's canvas looks for them.
WIDGETS = {f"{LIBRARY}.widgets": "widgets",
           **{f"{LIBRARY}.widgets.{name}": f"widgets/{name.replace('.', '/')}"
              for name in find_packages("widgets")}}
INSIDE = {
    **WIDGETS,
    f"{LIBRARY}.widgets.icons": "icons",
    f"{LIBRARY}.workflows": "workflows",
    # the help pages and their pictures
    f"{LIBRARY}.doc.widgets": "doc/widgets",
    f"{LIBRARY}.doc.images": "doc/images",
}



def long_description(text: str, repository: str) -> str:
    """The README as a package index shows it: links and pictures need whole addresses.
    Without a repository, links become plain text, and pictures are left out."""
    def picture(found: re.Match) -> str:
        return f"![{found[1]}]({repository}/raw/main/{found[2]})" if repository else ""

    def link(found: re.Match) -> str:
        return f"[{found[1]}]({repository}/blob/main/{found[2]})" if repository else found[1]

    target = r"\(((?!https?:|#|mailto:)[^)\s]+)\)"
    text = re.sub(rf"!\[([^]]*)\]{target}", picture, text)
    return re.sub(rf"(?<!!)\[([^]]*)\]{target}", link, text)


setup(
    name="Orange3-StructPred",
    version=VERSION,
    description="Structural support vector machines on Orange's canvas: "
                "train, apply, score and look into dependency parsers",
    long_description=long_description(
        (HERE / "README.md").read_text(encoding="utf-8"), REPOSITORY),
    long_description_content_type="text/markdown",
    author="Orange3-StructPred developers",
    project_urls={"Source": REPOSITORY, "Issue tracker": f"{REPOSITORY}/issues",
                  "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md"} if REPOSITORY else {},
    license_expression="GPL-3.0-or-later",
    license_files=["LICENSE"],
    keywords=["orange3 add-on", "structured prediction", "dependency parsing",
              "structural SVM", "kernels"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Environment :: Plugins",
        "Environment :: X11 Applications :: Qt",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Text Processing :: Linguistic",
        "Typing :: Typed",
    ],
    python_requires=">=3.10",
    packages=find_packages(include=[LIBRARY, f"{LIBRARY}.*"]) + list(INSIDE),
    package_dir=INSIDE,
    package_data={
        LIBRARY: ["py.typed", "treebank/data/*.conllu", "treebank/data/*.json"],
        f"{LIBRARY}.widgets.icons": ["*.svg"],
        f"{LIBRARY}.workflows": ["*.ows"],
        f"{LIBRARY}.doc.widgets": ["*.html"],
        f"{LIBRARY}.doc.images": ["*.png"],
    },
    install_requires=[
        "Orange3>=3.38",
        "AnyQt>=0.2",
        "pyqtgraph>=0.13.1",
        "numpy>=1.24",
        "scipy>=1.11.1",
        "scikit-learn>=1.6",
        "numba>=0.59",
        "platformdirs>=2.5",
        "cvxopt>=1.3.2",
        "psutil>=5.9",
        "pygments>=2.8",
    ],
    extras_require={
        # What the canvas draws with; Orange leaves the choice of Qt open.
        "gui": ["PyQt6>=6.5", "PyQt6-WebEngine>=6.5"],
        "test": ["PyQt6>=6.5", "PyQt6-WebEngine>=6.5", "pytest>=7",
                 "pytest-xdist>=3.2", "hypothesis>=6", "conllu>=4.5", "ruff>=0.4",
                 "mypy>=1.11",
                 "build>=1", "nbformat>=5.1", "dask>=2024.1", "distributed>=2024.1",
                 "udtools>=0.2.9"],
        # Training, tuning and parsing on many machines
        "cluster": ["dask>=2024.1", "distributed>=2024.1"],
        # The official validator of Universal Dependencies
        "validate": ["udtools>=0.2.9"],
        # programs that ours are measured against
        "bench": ["python-crfsuite>=0.9"],
        "doc": ["sphinx>=7", "myst-parser>=3", "pydata-sphinx-theme>=0.15"],
    },
    entry_points={
        "orange3.addon": ["structpred = orange_structpred"],
        "orange.widgets": ["StructPred = orange_structpred.widgets"],
        "orange.widgets.tutorials": ["structpred = orange_structpred.workflows"],
        "orange.canvas.help": [
            "html-index = orange_structpred.widgets:WIDGET_HELP_PATH"],
        "orange.canvas.drophandler": [
            "Treebank = orange_structpred.widgets.load.drophandlers:TreebankDropHandler",
            "Parser = orange_structpred.widgets.load.drophandlers:ParserDropHandler",
            "Text = orange_structpred.widgets.load.drophandlers:TextDropHandler"],
        "console_scripts": ["orange-structpred = orange_structpred.__main__:main"],
    },
    zip_safe=False,
)
