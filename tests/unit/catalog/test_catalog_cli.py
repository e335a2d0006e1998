"""``iodyno catalog`` as a user meets it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import CommandLine
from iodyno.analysis.closeness import comparisons
from iodyno.catalog.reading import write_toml
from iodyno.catalog.shelf import part_files, shipped
from iodyno.catalog.tree import document_of
from iodyno.cli.catalog import _say_step
from iodyno.cli.catalog_fit import fit_json, print_fit
from iodyno.cli.wording import signed_percent
from iodyno.fitting.fit import Fit, Met
from iodyno.fitting.least_squares import Determined, Minimum
from iodyno.fitting.specs import FitSpec, Parameter
from iodyno.store import Store

BROKEN = """
name = "broken"

[host]
processor = "xeon-e5-2637-v3"
software = "windows-raw-megaraid"

[[controller]]
part = "praid-cp400i"
mode = "fast-path-optimum"

[[controller.logical]]
drive = "intel-p3700-800"
count = 30
level = 6
"""


def test_list(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "list")
    assert said.code == 0
    assert "praid-ep420i  PRAID EP420i  PCIe 3.0 x8, 8 x SAS 12G, RAID 0, 1, 1E, 5, 6, 10, 50, 60" in said.out
    assert "raid-controllers-24" in said.out


def test_list_of_a_kind(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "list", "hdd", "--json")
    assert {entry["kind"] for entry in json.loads(said.out)} == {"hdd"}


def test_show_a_part_with_its_sources(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "show", "praid-ep420i")
    assert said.code == 0
    assert "fast-path-optimum  no-read-ahead" in said.out
    assert "RAID Controller Performance 2016, version 1.0d" in said.out


def test_a_part_says_how_close_the_simulator_is_to_it(iodyno_says: CommandLine, tmp_path: Path) -> None:
    drive = [one for one in comparisons() if "Intel SSD DC P3700 800 GB" in one.parts]
    said = iodyno_says("catalog", "show", "intel-p3700-800").out
    for name, uses in (("fitted to", ["fitted"]), ("not fitted to", ["prediction", "others"])):
        errors = [abs(one.error) for one in drive if one.use in uses]
        mean = sum(errors) / len(errors)
        row = rf"^{name} +{len(errors)} +{mean * 100:.1f}% +{max(errors) * 100:.1f}%$"
        assert re.search(row, said, re.MULTILINE), row
    plain = json.loads(iodyno_says("catalog", "show", "intel-p3700-800", "--json").out)["compared"]
    assert plain == [{"figure": one.id, "use": one.use, "error": one.error} for one in drive]
    none = iodyno_says("catalog", "show", "samsung-pm9a3-3840")
    assert (none.code, "Simulated and published" in none.out) == (0, False)
    file, text = tmp_path / "own.toml", iodyno_says("catalog", "show", "intel-p3700-800", "--toml").out
    changed = re.sub(r"^dies = { value = \d+", "dies = { value = 3", text, count=1, flags=re.MULTILINE)
    for own, known in ((text, True), (changed, False)):
        file.write_text(own)
        mine = iodyno_says("catalog", "show", str(file))
        assert (mine.code, "Simulated and published" in mine.out) == (0, known)


def test_numbers_of_parts_are_written_as_elsewhere_in_the_terminal(iodyno_says: CommandLine) -> None:
    """Thousands by commas, and nothing is off by -0.0%."""
    said = iodyno_says("catalog", "show", "praid-ep420i").out
    assert re.search(r"^parity +3,101 MB/s +fitted +raid +2,982 to 3,225 MB/s", said, re.MULTILINE)
    assert re.search(r"^raid-343 +1,375 +1,375 +[+]?0\.0% +–$", said, re.MULTILINE)
    assert "-0.0" not in said
    assert " %" not in said


@pytest.mark.parametrize(
    ("name", "interval"),
    [
        ("windows-2012-ntfs-nvme", "14,560 to 15,780 cycles"),
        ("windows-raw-megaraid", "9,286 to 10,110 cycles"),
    ],
)
def test_intervals_are_no_powers_of_ten(iodyno_says: CommandLine, name: str, interval: str) -> None:
    """As the part's file has them."""
    assert interval in iodyno_says("catalog", "show", name).out


def test_a_difference_that_rounds_to_nothing_has_no_sign() -> None:
    assert [signed_percent(share) for share in (0.0004, -0.0004, 0.0, 0.0006, -0.052)] == [
        "0.0%", "0.0%", "0.0%", "+0.1%", "-5.2%",
    ]  # fmt: skip


def test_show_a_system(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "show", "raid-controllers-24")
    assert "RAID 0 of 24 x Toshiba PX02SMF040 400 GB, PRAID EP420i" in said.out
    assert json.loads(iodyno_says("catalog", "show", "p3700", "--json").out)["volumes"][0]["name"] == "volume"


def test_a_server_takes_drives_through_controllers(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "primergy-rx2560-m1")
    assert "SAS and SATA drives go through its controllers:" in said.out
    assert "`iodyno catalog fits " in said.out
    assert "go through" not in iodyno_says("catalog", "fits", "PRAID-EP420i").out


def test_fits(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fits", "PRAID-EP420i")
    assert said.code == 0
    assert "primergy-rx2560-m1       PRIMERGY RX2560 M1             32" in said.out
    there = json.loads(iodyno_says("catalog", "fits", "intel-p3700-800", "--json").out)
    assert {"name": "primergy-rx2540-m1", "drives": 8}.items() <= next(
        entry for entry in there if entry["name"] == "primergy-rx2540-m1"
    ).items()


def test_the_rates_of_links_are_written_as_all_numbers_are(iodyno_says: CommandLine) -> None:
    """12 GT/s in 8b/10b coding are 1,200 MB/s of 10^6, and nine tenths of that 1,030 of 2^20."""
    assert "1,030 MB/s" in iodyno_says("catalog", "check", "raid-controllers").out


def test_a_system_that_can_exist(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "check", "primequest-2800e3")
    assert said.code == 0
    assert said.out.endswith("primequest-2800e3 can exist.\n")


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        # What the preset modes of EP420i are in the paper, and what counts where nothing says.
        ('mode = "performance"', "strip 256 kB, read-ahead, always-write-back, direct, drive cache on"),
        ('mode = "performance"\nbackup_unit = true', "read-ahead, write-back, direct, drive cache on"),
        ('mode = "data-protection"', "strip 256 kB, read-ahead, write-through, direct, drive cache off"),
        ('mode = "fast-path-optimum"', "strip 256 kB, no-read-ahead, write-through, direct, drive cache on"),
        ('cache = "cached"\nread = "read-ahead"', "read-ahead, write-through, cached, drive cache on"),
        ("", "strip 256 kB, no-read-ahead, write-through, direct, drive cache on"),
    ],
)
def test_the_settings_that_come_out_are_told(
    iodyno_says: CommandLine, tmp_path: Path, words: str, settings: str
) -> None:
    file = tmp_path / "array.toml"
    file.write_text(
        'name = "array"\n[host]\nprocessor = "xeon-e5-2660-v3"\nsoftware = "windows-raw-megaraid"\n'
        f'[[controller]]\npart = "praid-ep420i"\n{words}\n'
        '[[controller.logical]]\ndrive = "hgst-huc156045css204"\ncount = 4\nlevel = "5"\n'
        "failed = [1]\nrebuild_mb_s = 30\n"
    )
    said = " ".join(iodyno_says("catalog", "check", file).out.split())
    assert settings in said
    of = "RAID 5 of 4 x HGST Ultrastar C15K600 HUC156045CSS204 450 GB"
    assert f"{of}, 1 failed (position 1), rebuilt at 30 MB/s" in said


@pytest.mark.parametrize("part", ["praid-ep420i", "praid-ep400i", "praid-em400i"])
@pytest.mark.parametrize(
    ("words", "answered", "at_risk"),
    [
        ('mode = "performance"', "always-write-back", True),
        ('mode = "performance"\nbackup_unit = true', "write-back", False),
        ('backup_unit = true\nwrite = "always-write-back"', "always-write-back", False),
        ('write = "write-through"', "write-through", False),
    ],
)
def test_data_at_risk_without_a_flash_backup_unit_are_told(
    iodyno_says: CommandLine, tmp_path: Path, part: str, words: str, answered: str, at_risk: bool
) -> None:
    """The performance mode has `always write-back` without the unit: it was told as it is with one."""
    shown = checked(iodyno_says, tmp_path, f'part = "{part}"\n{words}')
    assert f", {answered}, " in shown
    assert (AT_RISK in shown) == at_risk


AT_RISK = "Always write-back without a flash backup unit: mine."


def checked(iodyno_says: CommandLine, folder: Path, controller: str) -> str:
    file = folder / "array.toml"
    file.write_text(
        'name = "array"\n[host]\nprocessor = "xeon-e5-2660-v3"\nsoftware = "windows-raw-megaraid"\n'
        f"[[controller]]\n{controller}\n"
        '[[controller.logical]]\nname = "mine"\ndrive = "hgst-huc156045css204"\ncount = 2\nlevel = "1"\n'
    )
    said = iodyno_says("catalog", "check", file)
    assert said.code == 0, said.err
    return " ".join(said.out.split())


def test_a_run_keeps_whether_writes_are_answered_in_any_case(
    iodyno_says: CommandLine, tmp_path: Path
) -> None:
    checked(iodyno_says, tmp_path, 'part = "praid-ep420i"\nmode = "performance"')
    words = ("--profile", "database", "--outstanding", "1", "--area", "1G", "-q")
    assert iodyno_says("simulate", "quick", "--on", tmp_path / "array.toml", *words).code == 0
    with Store.open() as store:
        (section,) = store.load("latest").run.system.sections
    assert ", read-ahead, always write-back, direct" in str(section.value("virtual_volumes"))


def test_no_data_are_at_risk_in_a_cache_that_is_not_there(iodyno_says: CommandLine, tmp_path: Path) -> None:
    shown = checked(iodyno_says, tmp_path, 'part = "praid-cp400i"\nmode = "performance"')
    assert ", write-through, " in shown
    assert AT_RISK not in shown


def test_a_system_that_cannot(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    said = iodyno_says("catalog", "check", file)
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("error:") == 4
    assert "hint: its modes: data-protection, performance" in said.err


def test_names_that_are_not_known(iodyno_says: CommandLine) -> None:
    for asked in (("show", "p3700-80"), ("fits", "praid"), ("check", "raid-controler")):
        said = iodyno_says("catalog", *asked)
        assert said.code == 2
        assert "hint:" in said.err


@pytest.mark.parametrize(
    ("asked", "error", "hint"),
    [
        (("list", "ssds"), '"ssds" is no kind of part', "did you mean ssd? Known kinds: server, ssd, "),
        (("list", "drives"), '"drives" is no kind of part', "name ssd or hdd: drives are one of these"),
        (("list", "OS"), '"OS" is no kind of part', "name software"),
        (("list", "drivers"), '"drivers" is no kind of part', "name software"),
        (("show", "ep420i"), "ep420i: there is no part or system of this name", "did you mean praid-ep420i?"),
        (("show", "raid-controler"), "raid-controler: there is no part", "did you mean raid-controllers?"),
        (("show", "zzz"), "zzz: there is no part or system of this name",
         "`iodyno catalog list` lists the parts"),
        (("fits", "my.toml"), "my.toml: cannot be read: no such file or directory",
         "`iodyno catalog list` lists the parts"),
        (("fits", "raid-controllers"), "raid-controllers: is a system, no part",
         "`iodyno catalog show raid-controllers` describes it"),
        (("check", "praid-ep420i"), "praid-ep420i: is a part, no system",
         "`iodyno catalog show praid-ep420i` describes it"),
        (("fit", "praid-ep421i"), "praid-ep421i: there is no part of this name",
         "did you mean praid-ep420i?"),
        (("fits", "PRAID"), "PRAID: there is no part of this name",
         "did you mean one of praid-cm400i, praid-cp400i, praid-em400i, praid-ep400i, praid-ep420i?"),
        (("fits", "primequest-28"), "primequest-28: there is no part of this name",
         "did you mean primequest-2800b2-du, primequest-2800e3-du-1c, primequest-2800e3-du-2c or "),
        (("show", "raid-c"), "raid-c: there is no part or system of this name",
         "did you mean praid-cm400i, praid-cp400i, raid-controllers or raid-controllers-24?"),
        (("fits", "xeon"), "xeon: there is no part of this name",
         "did you mean one of xeon-e3-1240-v3, xeon-e3-1240-v5, xeon-e5-2603-v3, xeon-e5-2637-v3, "
         "xeon-e5-2660-v3, xeon-e5-2698-v3, xeon-e7-8855-v4, xeon-e7-8860-v4, xeon-e7-8867-v4, "
         "xeon-e7-8870-v4, xeon-e7-8880-v4, xeon-e7-8890-v4 and 3 more? `iodyno catalog list` lists the "
         "parts"),
    ],
)  # fmt: skip
def test_what_a_name_that_does_not_fit_could_be(
    iodyno_says: CommandLine, asked: tuple[str, str], error: str, hint: str
) -> None:
    said = iodyno_says("catalog", *asked)
    assert (said.code, said.out) == (2, "")
    first, second = said.err.splitlines()
    assert first.startswith(f"error: {error}")
    assert second.startswith(f"hint: {hint}")


def test_names_are_taken_in_whatever_case(iodyno_says: CommandLine) -> None:
    for asked in (("list", "SSD"), ("show", "PRAID-EP420i"), ("show", "P3700"), ("fits", "PRAID EP420i")):
        assert iodyno_says("catalog", *asked).code == 0


def test_help_without_a_command_is_no_error(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog")
    assert (said.code, said.err) == (0, "")
    assert said.out == iodyno_says("catalog", "-h").out
    assert "..." not in said.out.replace("[ARGS]...", "")


def test_a_system_in_a_file_is_called_by_its_path(iodyno_says: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(BROKEN)
    errors = [
        line for line in iodyno_says("catalog", "check", file).err.splitlines() if line.startswith("error")
    ]
    assert len(errors) == 4
    assert all(re.match(rf"error: {re.escape(str(file))}(:\d+)?: ", line) for line in errors)


def test_nothing_of_an_onboard_controller_is_fitted(iodyno_says: CommandLine) -> None:
    said = iodyno_says("catalog", "fit", "C220")
    assert said.code == 2
    assert "error: c220: nothing of it is fitted" in said.err


def test_a_step_of_a_fit_names_another_mean_than_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    """A search makes the root of the mean square least, and tells it; both were called an average."""
    _say_step(3, 0.0213)
    assert capsys.readouterr().err == "step 3: the errors are 2.13% (root mean square)\n"


def test_a_fit_is_shown_with_intervals_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    found = (
        Determined("model.read", 61.234, 55.0, 67.5, False),
        Determined("model.delay_read", 0.1, None, None, True, ("model.read",)),
    )
    parameters = (Parameter("model.read", 1, 100), Parameter("model.delay_read", 0.1, 10))
    minimum = Minimum([61.234, 0.1], [0.01], [[1.0, 0.0]], 12, converged=False)
    spec = FitSpec("intel-p3700-800", parameters, ())
    fit = Fit(spec, found, (Met("p3700-130", 200.0, 202.0),), minimum)
    print_fit(fit, shipped())
    assert fit_json(fit, shipped())["figures"][0]["left_out"] is None
    assert [number["unit"] for number in fit_json(fit, shipped())["numbers"]] == ["us", "us"]
    printed = capsys.readouterr().out
    assert re.search(r"model\.read +61\.23 µs +55 and 67\.5 µs\n", printed)
    told = "simulated 12 times: the figures are 1% off on average (mean of the errors without sign)."
    assert told in printed  # 202 ÷ 200
    assert "not determined by these figures; exchanged for model.read; stopped at the bound" in printed
    assert re.search(r"p3700-130 +200 +202 +[+]1\.0% +–\n", printed)
    assert "Left out, none of them is foretold by the others" in printed
    assert "The steps ran out before the search settled." in printed
    assert "off:" not in printed


def test_a_fit_names_the_figures_that_it_misses(capsys: pytest.CaptureFixture[str]) -> None:
    spec = FitSpec("intel-p3700-800", (Parameter("model.read", 1, 100),), ())
    found = (Determined("model.read", 61.234, 55.0, 67.5, False),)
    minimum = Minimum([61.234], [0.01], [[1.0]], 12, converged=True)
    met = (Met("restore most, MB/s", 600.0, 434.8), Met("database at 32, IO/s", 60000.0, 60130.0))
    print_fit(Fit(spec, found, met, minimum), shipped())
    printed = " ".join(capsys.readouterr().out.split())
    assert "More than 10% off: restore most, MB/s (-27.5%). Numbers that are not searched for" in printed


def test_a_fit_tells_what_it_foretells_of_figures_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    spec = FitSpec("intel-p3700-800", (Parameter("model.read", 1, 100),), ())
    found = (Determined("model.read", 61.234, 55.0, 67.5, False),)
    minimum = Minimum([61.234], [0.01], [[1.0]], 12, converged=True)
    met = (Met("a", 100.0, 102.0, 0.04), Met("b", 100.0, 98.0, -0.06), Met("c", 100.0, 100.0))
    print_fit(fit := Fit(spec, found, met, minimum), shipped())
    printed = capsys.readouterr().out
    assert re.search(r"^a +100 +102 +[+]2\.0% +[+]4\.0%$", printed, re.MULTILINE)
    assert "2 of them would be 5% off on average" in " ".join(printed.split())
    assert [one["left_out"] for one in fit_json(fit, shipped())["figures"]] == [0.04, -0.06, None]


def test_a_system_says_which_members_have_failed(iodyno_says: CommandLine, tmp_path: Path) -> None:
    system = tmp_path / "hurt.toml"
    text = iodyno_says("catalog", "show", "raid-controllers", "--toml").out
    system.write_text(text.replace('level = "0"', 'level = "6"\nfailed = [0, 4]'))
    said = " ".join(iodyno_says("catalog", "show", system).out.split())
    assert "RAID 6 of 8 x Toshiba PX02SMF040 400 GB, 2 failed (positions 0 and 4), PRAID EP420i" in said


def test_a_position_alone_is_no_number_of_members(iodyno_says: CommandLine, tmp_path: Path) -> None:
    """``failed = 2`` is the third member: it said that one has failed, and not which."""
    system = tmp_path / "hurt.toml"
    text = iodyno_says("catalog", "show", "raid-controllers", "--toml").out
    system.write_text(text.replace('level = "0"', 'level = "6"\nfailed = 2'))
    said = " ".join(iodyno_says("catalog", "check", system).out.split())
    assert "RAID 6 of 8 x Toshiba PX02SMF040 400 GB, 1 failed (position 2), PRAID EP420i" in said


@pytest.mark.parametrize(
    ("system", "capacity"), [("p3700", "800 GB"), ("raid-controllers", "3.2 TB"), ("nvme-today", "7.68 TB")]
)
def test_capacities_are_written_as_the_field_does(
    iodyno_says: CommandLine, system: str, capacity: str
) -> None:
    """An SSD of 800 GB was one of `0.8 TB`."""
    said = iodyno_says("catalog", "show", system).out
    assert f"  {capacity}  " in said
    assert " 0." not in said


@pytest.mark.parametrize(
    ("ports", "drives", "number", "room"),
    [
        (36, 24, "1", ""),
        (36, 28, "1", ""),
        # 72 ports less 8 lanes to the controller and both ends of 8 between them are 48.
        (36, 29, "at least 2", ": one has 28 ports"),
        # 5 have 100 - 8 - 4 * 16 = 28 ports for drives, 6 have 32.
        (20, 29, "at least 6", ": one has 12 ports"),
        (9, 2, "several", ": one has 1 port"),
        (8, 2, "several", ": one has no ports"),
    ],
)
def test_a_system_says_how_many_expanders_its_drives_need(
    iodyno_says: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ports: int,
    drives: int,
    number: str,
    room: str,
) -> None:
    """36 ports were enough for however many drives, and nothing was said."""
    part = next(file for file in part_files() if file.name == "sas-expander-12g.toml").read_text("utf-8")
    part = part.replace("SAS 12G expander with 36 ports", "An expander")
    part = part.replace("sas-expander-12g", "own").replace("value = 36", f"value = {ports}")
    (tmp_path / "own.toml").write_text(part)
    monkeypatch.setenv("IODYNO_PARTS", str(tmp_path))
    system = document_of("raid-controllers-24")
    (controller,) = system["controller"]
    controller["expander"], controller["logical"][0]["count"] = "own", drives
    (tmp_path / "of.system").write_text(write_toml(system))
    told = " ".join(iodyno_says("catalog", "check", tmp_path / "of.system").out.split())
    joined = " for drives beside its 8 lanes; they are joined, and simulated as one" if room else ""
    assert f" expander {number} x An expander, PRAID EP420i{room}{joined} source " in told
    assert told.endswith("can exist.")
