"""A First Parser: an Orange workflow written as a script."""

import argparse

from orange_structpred import ParserLearner, Treebank, load_bundled
from orange_structpred.evaluation import score_table
from orange_structpred.tables.sampling import sample


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--treebank", metavar="FILE",
        help="a file to read instead of what Treebank loads")
    parser.add_argument(
        "--seed", type=int, default=0,
        help="a number to add to all seeds of the workflow (default: %(default)s)")
    parser.add_argument(
        "--C", type=float, default=1.0,
        help="C for Train Parser (default: %(default)s)")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="address of a Dask scheduler, whose workers then do the work")
    return parser.parse_args(argv)


def main(argv=None):
    args = parse_arguments(argv)

    # Treebank
    treebank = (Treebank.from_file(args.treebank) if args.treebank
                else load_bundled("en"))

    # Data Sampler
    data_sampler_sample, data_sampler_rest = sample(
        treebank, 0.8, random_state=42 + args.seed)

    # Train Parser
    train_parser = ParserLearner(
        solver="bcfw", C=args.C, order=1, random_state=args.seed)(data_sampler_sample)

    # Apply Parser
    apply_parser = train_parser(data_sampler_rest, client=args.scheduler)

    # UAS Score
    print(score_table(apply_parser))


if __name__ == "__main__":
    main()
