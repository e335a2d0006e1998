"""What the paper of a simulated run says of its systems: hosts, settings, and what nobody else has."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import simulated_result
from factories import make_run
from iodyno.analysis.run import analyse
from iodyno.catalog.parts import SettingsPart, SoftwarePart
from iodyno.catalog.reading import parse_toml, write_toml
from iodyno.catalog.resolve import resolve as catalog_resolve
from iodyno.catalog.shelf import shipped as shipped_parts
from iodyno.catalog.tree import document_of, parse_system, shipped_systems
from iodyno.report import paper
from iodyno.report.context import Context
from iodyno.report.document import Callout, CodeBlock, Document, Facts, Link, Paragraph, Table
from iodyno.report.layout.outline import outline
from iodyno.report.messages import Messages, plain
from iodyno.report.names import PLACE_NAMES, SHORT_PLACE_NAMES
from iodyno.report.sections import disclosure_configurations
from iodyno.report.sections.system import SETTINGS, SOFTWARE
from iodyno.report.sentences.change import value_text
from iodyno.store.records import StoredRun
from iodyno.study import chosen_configurations, parse_study, plan_simulation
from iodyno.study.configuration import Configuration
from iodyno.study.systems import resolve, written
from iodyno.system.virtual import describe
from simulated_papers import many

OWN_SYSTEM = {
    "title": "My array",
    "host": {
        "processor": "xeon-e5-2637-v3",
        "processors": 2,
        "software": "linux-nvme",
        "settings": "power-plan",
    },
    "drives": [{"drive": "intel-p3700-800", "count": 2, "level": "1", "write_cache": "on"}],
}


def of_systems(*configurations: Configuration) -> StoredRun:
    """Give a simulated run whose systems are described as those of a command are."""
    systems = {item.name: resolve(item) for item in configurations}
    trees = {item.name: written(item) for item in configurations}
    stored = many(2, '"database"')
    run = stored.run.model_copy(update={"system": describe(systems, None, trees)})
    return stored.model_copy(update={"run": run})


def test_the_host_software_and_settings_of_a_virtual_system_are_told() -> None:
    stored = of_systems(Configuration(name="one", system="p3700"))
    document = paper.build(stored)
    facts = dict(fact for block in document.blocks if isinstance(block, Facts) for fact in block.items)
    assert facts["System of the catalogue"] == "p3700"
    # As `iodyno catalog show` prints of the system and its parts.
    assert facts["Processors"] == "2 × Intel Xeon E5-2637 v3"
    assert facts["Clock rate that the settings hold"] == "3.5 GHz"
    assert facts["Host software"] == "Windows Server 2012, NTFS, IaNVMe driver"
    assert facts["Power settings"] == "Performance: energy settings for performance, C6 off"
    german = paper.build(stored, language="de")
    facts = dict(fact for block in german.blocks if isinstance(block, Facts) for fact in block.items)
    assert str(facts["Energieeinstellungen"]).startswith("Leistung: ")
    assert facts["Software des Hosts"] == "Windows Server 2012, NTFS, IaNVMe-Treiber"


def test_software_of_each_kind_of_drives_is_told() -> None:
    """Each in the words of the language, apart as what has commas inside."""
    drives = OWN_SYSTEM["drives"]
    behind = {
        "part": "praid-ep420i",
        "logical": [{"name": "slow", "drive": "toshiba-px02smf040", "level": "0"}],
    }
    host = {"processor": "xeon-e5-2637-v3", "software": ["linux-nvme", "linux-scsi"]}
    system = {"title": "Tiers", "host": host, "controller": [behind], "drives": drives}
    stored = of_systems(Configuration(name="tiers", system=system))
    for language, told in (
        ("en", ["Linux, NVMe driver, io_uring", "; ", "Linux, SCSI driver, io_uring"]),
        ("de", ["Linux, NVMe-Treiber, io_uring", "; ", "Linux, SCSI-Treiber, io_uring"]),
        ("ja", ["Linux、NVMe ドライバ、io_uring", "；", "Linux、SCSI ドライバ、io_uring"]),
    ):
        document = paper.build(stored, language=language)
        facts = [fact for block in document.blocks if isinstance(block, Facts) for fact in block.items]
        assert "".join(told) in [plain(value) for _, value in facts]
        changed = value_text(Messages(language), "software", "Linux, NVMe driver, io_uring; Own, by me")
        assert changed == "".join([*told[:2], "Own, by me"])


CHARGED = {
    "en": "The only host software, “Linux, NVMe driver, io_uring”, is not for drives behind PRAID EP420i; "
    "what their I/Os cost in the host is taken from it all the same.",
    "de": "Die einzige Software des Hosts, „Linux, NVMe-Treiber, io_uring“, ist nicht für Laufwerke hinter "
    "PRAID EP420i; was deren I/Os im Host kosten, ist dennoch ihr entnommen.",
    "ja": "ホストの唯一のソフトウェア「Linux、NVMe ドライバ、io_uring」は、PRAID EP420i 配下のドライブを対"
    "象としていません。",
}


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_costs_of_software_that_is_for_other_drives_are_told(language: str) -> None:
    """The command that simulates said it, and the paper did not."""
    behind = {
        "part": "praid-ep420i",
        "logical": [{"name": "slow", "drive": "toshiba-px02smf040", "level": "0"}],
    }
    host = {"processor": "xeon-e5-2637-v3", "software": "linux-nvme"}
    tiers = {"title": "Tiers", "host": host, "controller": [behind], "drives": OWN_SYSTEM["drives"]}
    mixed = Configuration(name="mixed", system=tiers)
    plain_one = Configuration(name="plain", system=OWN_SYSTEM)
    others = [Configuration(name=name, system="p3700") for name in ("a", "b", "c")]

    def told(*configurations: Configuration) -> list[str]:
        document = paper.build(of_systems(*configurations), language=language)
        notes = [plain(block.text) for block in document.blocks if isinstance(block, Callout)]
        return [note for note in notes if CHARGED[language] in note]

    assert told(plain_one) == []
    (alone,) = told(mixed, plain_one)  # each system has a list of its own, with the note below it
    assert alone.startswith(CHARGED[language])
    (among,) = told(mixed, plain_one, *others)
    assert among.startswith("mixed")
    both = {**host, "software": ["linux-nvme", "linux-scsi"]}
    assert told(Configuration(name="mixed", system={**tiers, "host": both})) == []


def test_a_system_of_ones_own_is_in_the_paper_and_can_be_simulated_again() -> None:
    own = Configuration(name="my-array", system=OWN_SYSTEM)
    changed = Configuration(name="changed", system="raid-controllers", changes={"level": "5", "strip": "64k"})
    stored = of_systems(own, changed)
    document = paper.build(stored)
    facts = dict(fact for block in document.blocks if isinstance(block, Facts) for fact in block.items)
    assert facts["System, not of the catalogue"] == "my-array"
    assert facts["System of the catalogue, with changes"] == "raid-controllers"
    assert "System of the catalogue" not in facts
    assert "Parts and settings as a file" not in facts
    codes = [block.text for block in document.blocks if isinstance(block, CodeBlock)]
    files = [parse_system(code) for code in codes if "[host]" in code]
    expected = [resolve(own), resolve(changed).model_copy(update={"name": "changed"})]
    assert [catalog_resolve(item) for item in files] == expected


STUDY = """
schema = 1
name = "mine"
title = "Mine"
[[configuration]]
name = "{settings}-{count}"
title = "{count} drives, {settings}"
group = "{settings}"
system = "my-array.toml"
changes = { level = "10", count = "{count}", settings = "{settings}" }
area = { sequential = "10%", random = { start = "10%", length = "25%" } }
each = { settings = ["power-plan", "default"], count = [4, 6, 8] }
[[configuration]]
name = "p3700"
system = "p3700"
changes = { processors = 2 }
[[sweep]]
name = "field"
profiles = ["database", "mine"]
outstanding = [1, 16]
configurations = ["default-*", "p3700", "power-plan-4"]
[[profile]]
name = "mine"
random_share = 0.5
read_share = 0.25
blocks = [{ bytes = "4k", weight = 3 }, { bytes = "64k", weight = 1 }]
[measurement]
seed = 7
"""


def simulated(text: str) -> StoredRun:
    """Give the run that `iodyno simulate` would keep of a study."""
    study = parse_study(text)
    chosen = chosen_configurations(study, ())
    plan = plan_simulation(study, {item.name: resolve(item) for item in chosen})
    titles = {item.name: item.shown for item in chosen}
    trees = {item.name: written(item) for item in chosen if item.name in plan.systems}
    run = make_run(plan, system=describe(plan.systems, titles, trees), simulated=True,
                   command=("iodyno", "simulate", "mine.toml"), status="finished")  # fmt: skip
    return StoredRun(run=run, results=tuple(simulated_result(point) for point in plan.points))


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredRun:
    """Give a run on five systems, four of which somebody has in a file that is gone."""
    monkeypatch.chdir(tmp_path)
    Path("my-array.toml").write_text(write_toml({"name": "my-array", **OWN_SYSTEM}))
    stored = simulated(STUDY)
    Path("my-array.toml").unlink()
    return stored


def rows_of(document: Document, key: str) -> list[list[str]]:
    """Give the texts of a table, its head first."""
    (table,) = (block for block in document.blocks if isinstance(block, Table) and block.key == key)
    return [
        [plain(one.title) for one in table.columns],
        *([plain(cell.text).replace("\u00a0", " ") for cell in row] for row in table.rows),
    ]


def test_hosts_of_many_systems_are_told_once_and_which_system_has_which(mine: StoredRun) -> None:
    document = paper.build(mine)
    facts = dict(fact for block in document.blocks if isinstance(block, Facts) for fact in block.items)
    assert facts["Processors"] == "2 × Intel Xeon E5-2637 v3"  # of all hosts: no column for it
    assert "Power settings" not in facts
    head, *rows = rows_of(document, "table-hosts")
    assert head == ["Host", "Clock rate that the settings hold", "Host software", "Power settings", "Systems"]
    assert [(row[0], row[3].partition(":")[0], row[-1]) for row in rows] == [
        ("Host 1", "Power plan", "1"), ("Host 2", "Default", "3"), ("Host 3", "Performance", "1"),
    ]  # fmt: skip
    _, *rows = rows_of(document, "table-systems")
    assert {row[0]: row[1] for row in rows if len(row) > 1} == {
        "4 drives, power-plan": "Host 1", "6 drives, default": "Host 2", "4 drives, default": "Host 2",
        "8 drives, default": "Host 2", "p3700": "Host 3",
    }  # fmt: skip


def test_numbers_of_cores_stand_below_each_other_at_their_last_digits() -> None:
    processors = ["xeon-e5-2637-v3", "xeon-e5-2603-v3", "xeon-e5-2698-v3"] * 2
    document = paper.build(
        of_systems(
            *(
                Configuration(name=f"{number}", system="p3700", changes={"processor": processor})
                for number, processor in enumerate(processors)
            )
        )
    )
    (hosts,) = (one for one in document.blocks if isinstance(one, Table) and one.key == "table-hosts")
    assert {plain(column.title): column.align for column in hosts.columns} == {
        "Host": "left", "Processors": "left", "Clock rate that the settings hold": "left",
        "Processor cores": "right", "Systems": "right",
    }  # fmt: skip


def test_one_host_of_many_systems_needs_no_number() -> None:
    names = [f"{count}-drives" for count in range(1, 7)]
    document = paper.build(of_systems(*(Configuration(name=name, system=OWN_SYSTEM) for name in names)))
    facts = dict(fact for block in document.blocks if isinstance(block, Facts) for fact in block.items)
    assert str(facts["Power settings"]).startswith("Power plan")
    assert rows_of(document, "table-systems")[0] == ["Configuration", "Volumes"]
    assert not [block for block in document.blocks if isinstance(block, Table) and block.key == "table-hosts"]


def test_many_systems_of_ones_own_are_in_an_attached_study_that_gives_the_same_plan(mine: StoredRun) -> None:
    document = paper.build(mine)
    (study,) = document.attachments
    assert study.name == f"{mine.run.id}-study.toml"
    assert any(study.name in plain(block.text) for block in document.blocks if isinstance(block, Paragraph))
    again = simulated(study.data.decode()).run.plan
    assert again.points == mine.run.plan.points
    assert again.systems == mine.run.plan.systems


def test_every_power_setting_of_the_catalogue_is_known_to_the_paper() -> None:
    assert {part.title for part in shipped_parts().of(SettingsPart)} == set(SETTINGS)


def test_every_host_software_of_the_catalogue_is_known_to_the_paper() -> None:
    assert {part.title for part in shipped_parts().of(SoftwarePart)} == set(SOFTWARE)


@pytest.mark.parametrize(
    ("language", "links"),
    [
        ("en", "PCIe 3.0 x8 of PRAID EP420i (6,761 MB/s), 8 × SAS 12G (1,030 MB/s)"),
        ("de", "PCIe 3.0 x8 von PRAID EP420i (6.761 MB/s), 8 × SAS 12G (1.030 MB/s)"),
        ("ja", "PRAID EP420i の PCIe 3.0 x8 (6,761 MB/s)、8 × SAS 12G (1,030 MB/s)"),
    ],
)
def test_links_are_told_in_the_language(language: str, links: str) -> None:
    """8 lanes of 8 GT/s at 128/130, and 12 Gbit/s at 8/10, 90 % of each as practice has it, in 2^20 bytes."""
    stored = of_systems(Configuration(name="one", system="raid-controllers"))
    document = paper.build(stored, language)
    values = {value for block in document.blocks if isinstance(block, Facts) for _, value in block.items}
    assert links in values


KINDS = """
schema = 1
name = "kinds"
title = "Kinds"
[[configuration]]
name = "{short}-{kind}"
title = "{model}: 8 {shown}, RAID {level}"
system = "p3700"
each.controller = [{ short = "cp400i", model = "PRAID CP400i", level = "5" }]
each.drives = [{ kind = "hdd", shown = "SAS hard disks" }, { kind = "ssd", shown = "SAS SSDs" }]
[[sweep]]
name = "eight"
profiles = ["database"]
outstanding = [1, 16]
[[sweep.chart.part]]
title = "SAS hard disks"
configurations = ["*-hdd"]
[[sweep.chart.part]]
title = "SAS SSDs"
configurations = ["*-ssd"]
[[sweep]]
name = "again"
profiles = ["streaming"]
outstanding = [1, 16]
"""


def test_what_a_part_of_a_sweep_shows_stands_below_it() -> None:
    """A part has no text of its own: beside its profiles it was an empty section."""
    text = KINDS.replace('["database"]', '["database", "restore"]')
    found = outline(paper.build(simulated(text))).headings
    numbers = [(entry.number, entry.text) for entry in found if entry.number.startswith("6.1")]
    parts = [number for number, text in numbers if text in ("SAS hard disks", "SAS SSDs")]
    assert parts == ["6.1.1", "6.1.2"]
    assert [number for number, text in numbers if "Database" in text] == ["6.1.1.1", "6.1.2.1"]


def test_a_heading_of_curves_that_would_be_the_only_one_below_another_is_left_out() -> None:
    """There was a 6.1.1.1, and a 6.1.2.1, and nothing beside them; two of 6.2 stay."""
    document = paper.build(simulated(KINDS))
    numbers = [entry.number for entry in outline(document).headings if entry.number.startswith("6.")]
    assert numbers == ["6.1", "6.1.1", "6.1.2", "6.2", "6.2.1", "6.2.2"]
    captions = [block.caption for block in document.blocks if isinstance(block, Table)]
    assert any(one.startswith("Database, PRAID CP400i: 8 SAS hard disks, RAID 5: ") for one in captions)


def test_a_limit_that_all_profiles_of_a_matrix_have_is_said_once() -> None:
    """Each of five profiles said it, two lines long, and the sentence for their table again."""
    text = KINDS.replace('["streaming"]', '["streaming", "restore"]\nchart.layout = "matrix"')
    document = paper.build(simulated(text))
    texts = [plain(block.text) for block in document.blocks if isinstance(block, Paragraph)]
    profiles = [one for one in texts if one.startswith(("Streaming: ", "Restore: "))]
    assert len(profiles) == 2
    assert not any("same limit" in one for one in profiles)
    told = "All maxima here have one limit: made-up link, with a utilisation of "
    assert [one.startswith(told) for one in texts if "made-up link, with" in one] == [True]


def test_kinds_of_drives_are_written_alike_in_titles_of_one_language() -> None:
    """As the catalogues write them elsewhere: 8 SAS-SSDs, and SAS SSD in Japanese."""
    for language, plural in (("de", "8 SAS-SSDs"), ("ja", "SAS SSD 8 台")):
        messages = Messages(language)
        assert plural in messages.titled("PRAID CP400i: 8 SAS SSDs, RAID 5")
        assert plural in messages.titled("PRAID EP400i: 8 SAS SSDs, RAID 5, Performance")
    assert Messages("de").known("SATA SSDs") == "SATA-SSDs"
    assert Messages("de").known("SATA SSD") == "SATA-SSD"


@pytest.mark.parametrize("name", shipped_systems())
def test_a_system_is_written_as_it_was_read(name: str) -> None:
    document = document_of(name)
    assert parse_toml(write_toml(document), name) == document


def test_a_shipped_system_with_changes_is_printed_as_what_it_is() -> None:
    """Its name, title and source are those of what it was made of: who keeps the file would be misled."""
    changed = Configuration(
        name="r6", title="RAID 6, whole", system="raid-controllers", changes={"level": "6"}
    )
    document = paper.build(of_systems(changed))
    (code,) = (block for block in document.blocks if isinstance(block, CodeBlock) and not block.command)
    table = parse_toml(code.text, "printed")
    assert (table["name"], table["title"]) == ("r6", "RAID 6, whole")
    assert table["source"] == "raid-controllers of iodyno's catalogue; changed: level"
    again = resolve(Configuration(name="r6", system=table))
    assert again.model_copy(update={"name": ""}) == resolve(changed).model_copy(update={"name": ""})


def test_each_place_that_a_table_names_in_short_is_explained_below_it() -> None:
    """Table 7 of the connections said that a switch is the limit, and of all places not what that is."""
    assert all(PLACE_NAMES[place] != short for place, short in SHORT_PLACE_NAMES.items())


def behind_modes(*modes: str) -> StoredRun:
    """Give a run on six systems whose controllers turn the caches of their drives on or off."""
    return of_systems(
        *(
            Configuration(
                name=f"{mode}-{count}", system="raid-controllers", changes={"mode": mode, "count": count}
            )
            for mode in modes
            for count in range(3, 3 + 6 // len(modes))
        )
    )


def test_whether_drives_write_through_their_caches_is_told_of_many_systems() -> None:
    """A mode that turns them off stood in the table like one that turns them on."""
    label = "Write caches of the drives on"
    differ = paper.build(behind_modes("data-protection", "performance"))
    head, *rows = rows_of(differ, "table-systems")
    assert head[-1] == "Drive caches on"  # in full it took six lines of a narrow column
    told = {row[0].rpartition("-")[0]: row[-1] for row in rows if len(row) > 1}
    assert told == {"data-protection": "no", "performance": "yes"}
    alike = paper.build(behind_modes("performance"))
    assert not {label, "Drive caches on"} & set(rows_of(alike, "table-systems")[0])
    facts = dict(fact for block in alike.blocks if isinstance(block, Facts) for fact in block.items)
    assert facts[label] == "yes"


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "direct, drive caches on", "direct, drive caches off"),
        ("de", "direkt, Schreibcaches der Laufwerke ein", "direkt, Schreibcaches der Laufwerke aus"),
        ("ja", "ダイレクト、ドライブのライトキャッシュ有効", "ダイレクト、ドライブのライトキャッシュ無効"),
    ],
)
def test_volumes_whose_drives_differ_in_their_caches_say_so(language: str, first: str, second: str) -> None:
    drive = {"drive": "hgst-huc156045css204", "count": 2, "level": "1"}
    logical = [{**drive, "name": name, "drive_cache": cache} for name, cache in (("a", "on"), ("b", "off"))]
    system = {
        "host": {"processor": "xeon-e5-2660-v3", "software": "windows-raw-megaraid"},
        "controller": [{"part": "praid-ep420i", "mode": "performance", "logical": logical}],
    }
    document = paper.build(of_systems(Configuration(name="mixed", system=system)), language=language)
    facts = [fact for block in document.blocks if isinstance(block, Facts) for fact in block.items]
    (volumes,) = (plain(text) for _, text in facts if "RAID 1" in plain(text))
    assert volumes.index(first) < volumes.index(second)


@pytest.mark.parametrize(("language", "capacity"), [("en", "7.68 TB"), ("de", "7,68 TB"), ("ja", "7.68 TB")])
def test_drives_of_a_virtual_system_have_their_capacity_as_a_language_writes_it(
    language: str, capacity: str
) -> None:
    system = {
        "host": {"processor": "epyc-9354", "software": "linux-nvme"},
        "drives": [{"drive": "samsung-pm1743-7680", "count": 2}],
    }
    document = paper.build(of_systems(Configuration(name="own", system=system)), language=language)
    facts = [plain(text) for block in document.blocks if isinstance(block, Facts) for _, text in block.items]
    assert f"2 × Samsung PM1743 {capacity} (PCIe 5.0)" in facts


def test_how_long_points_are_says_of_which_systems() -> None:
    stored = many(3, '"database"')
    plan = stored.run.plan
    last = list(plan.systems)[-1]
    points = tuple(
        point.model_copy(update={"stopping": point.stopping.model_copy(update={"warmup_ios": 12_345})})
        if point.system == last
        else point
        for point in plan.points
    )
    run = stored.run.model_copy(update={"plan": plan.model_copy(update={"points": points})})
    found = paper.build(StoredRun(run=run, results=tuple(map(simulated_result, points))))
    (table,) = [block for block in found.blocks if isinstance(block, Table) and block.key == "table-stopping"]
    assert [column.title for column in table.columns][:2] == ["Systems", "Load profiles"]
    rows = {row[2].text: row[0].text for row in table.rows}
    assert last[-6:] in rows["12,345"]
    assert len(rows) == 2
    (others,) = [text for count, text in rows.items() if count != "12,345"]
    assert last[-6:] not in others


def test_how_long_most_points_are_is_said_of_all_that_other_rules_do_not_name() -> None:
    """Nine sections stood in one cell: all but those of the other rows."""
    text = KINDS.replace('["database"]', '["database", "restore"]').replace('["streaming"]', '["database"]')
    stored = simulated(text)
    plan = stored.run.plan
    points = tuple(
        point.model_copy(update={"stopping": point.stopping.model_copy(update={"warmup_ios": 12_345})})
        if point.sweep == "again"
        else point
        for point in plan.points
    )
    run = stored.run.model_copy(update={"plan": plan.model_copy(update={"points": points})})
    found = paper.build(StoredRun(run=run, results=tuple(map(simulated_result, points))))
    (table,) = [block for block in found.blocks if isinstance(block, Table) and block.key == "table-stopping"]
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("again", "Database"),
        ("All other points", "Database, Restore"),
    ]


@pytest.mark.parametrize(("language", "comma"), [("en", ", "), ("de", ", "), ("ja", "、")])
def test_a_rule_of_many_sections_has_their_numbers(language: str, comma: str) -> None:
    """Titles of five sections made a row of six lines."""
    more = "".join(
        f'[[sweep]]\nname = "more-{n}"\nprofiles = ["database", "restore"]\noutstanding = [1]\n'
        for n in "abc"
    )
    stored = simulated(KINDS.replace('["database"]', '["database", "restore"]') + more)
    plan = stored.run.plan
    points = tuple(
        point.model_copy(update={"stopping": point.stopping.model_copy(update={"warmup_ios": 12_345})})
        if point.sweep.startswith("more") and point.profile.name == "restore"
        else point
        for point in plan.points
    )
    run = stored.run.model_copy(update={"plan": plan.model_copy(update={"points": points})})
    found = paper.build(StoredRun(run=run, results=tuple(map(simulated_result, points))), language)
    (table,) = [block for block in found.blocks if isinstance(block, Table) and block.key == "table-stopping"]
    assert plain(table.rows[0][0].text) == comma.join(("6.3", "6.4", "6.5"))
    numbers = {entry.key: entry.number for entry in outline(found).headings}
    links = [part for part in table.rows[0][0].text if isinstance(part, Link)]
    assert [numbers[link.key] for link in links] == ["6.3", "6.4", "6.5"]
    # A run that ended before a section has no number of it.
    left = StoredRun(run=run, results=tuple(simulated_result(at) for at in points if at.sweep != "more-c"))
    found = paper.build(left, language)
    (table,) = [block for block in found.blocks if isinstance(block, Table) and block.key == "table-stopping"]
    assert "more-c" in plain(table.rows[0][0].text)


def test_the_disclosure_of_simulated_points_has_no_column_of_disturbances() -> None:
    """It had dashes alone, and took the room that names of configurations needed."""
    stored = simulated(KINDS)
    table, *_ = disclosure_configurations.blocks(Context(stored, analyse(stored), Messages("en")))
    assert isinstance(table, Table)
    titles = [column.title for column in table.columns]
    assert not any("disturbed" in title for title in titles)
    assert any("not steady" in title for title in titles)
    assert all(len(row) == len(titles) for row in table.rows)
