"""``python -m iodyno``: the command line without an installed script."""

from iodyno.cli import main

if __name__ == "__main__":
    main()
