"""Rates that follow from readings: shares of the whole, and the search, against a queue with a formula."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest

from command_line import CommandLine, simulated_result
from factories import make_reading, make_result
from iodyno import rates
from iodyno.cli.searching import search_lines
from iodyno.errors import ProfileError
from iodyno.histogram import Histogram, bucket_bounds
from iodyno.plan import Plan, Point, RateShare, SearchStep, hashed_point
from iodyno.reading import Cause, PointResult, Verdict
from iodyno.study import Overrides, Rates, load_study, plan_study
from iodyno.study.load import parse_study, study_of_document
from iodyno.targets import Target

SERVED_IO_S = 10_000.0
"""Rate of the server: the response time of M/M/1 is exponential with the rate 10,000 - asked."""
TARGET = Target(path="/made/up", asked="/made/up", kind="file", size_bytes=64 << 30)
STUDY = """
name = "limit"
title = "A limit"
[[sweep]]
name = "search"
profiles = ["database"]
arrival = "poisson"
search = { percentile = "99%", limit = "2ms", resolution = "2%" }
"""


def plan_of(text: str = STUDY, **choices: object) -> Plan:
    return plan_study(parse_study(text), [TARGET], Overrides.model_validate(choices))


def timed(point: Point, value_ns: float, causes: tuple[str, ...] = (), state: str = "steady") -> PointResult:
    """Give a result whose response times are all one value."""
    reading = make_reading(point, latency_ms=1)

    def all_of(count: int) -> Histogram:
        index = next(i for i in range(5000) if bucket_bounds(i)[1] > value_ns)
        return Histogram(
            index=(index,), count=(count,), min_ns=int(value_ns), max_ns=int(value_ns),
            sum_ns=int(value_ns) * count,
        )  # fmt: skip

    halves = {
        name: half.model_copy(update={"response_time": all_of(half.completed)})
        for name, half in (("reads", reading.reads), ("writes", reading.writes))
    }
    verdict = Verdict.model_validate({"state": state, "causes": [Cause(code=code) for code in causes]})
    return make_result(point, reading=reading.model_copy(update=halves)).model_copy(
        update={"verdict": verdict}
    )


def queue(point: Point) -> PointResult:
    """Answer as a server with exponential service does: p99 is ln 100 / (served - asked)."""
    if point.rate_io_s is None:
        return make_result(point, rate_io_s=SERVED_IO_S)
    spare = SERVED_IO_S - point.rate_io_s
    if spare <= 0:
        return timed(point, 1e9, ("overload",), "not_steady")
    return timed(point, math.log(100) / spare * 1e9)


def run(plan: Plan, answer: Callable[[Point], PointResult]) -> list[PointResult]:
    turn, results = rates.InTurn(plan), []
    while ready := turn.take():
        for point in ready:
            results.append(answer(point))
            turn.finish(results[-1])
    return results


@pytest.mark.parametrize("limit_ms", [0.5, 1.0, 2.0, 5.0, 50.0])
@pytest.mark.parametrize("resolution", [0.1, 0.02, 0.005])
def test_a_search_finds_the_rate_that_the_formula_gives(limit_ms: float, resolution: float) -> None:
    """p99 of M/M/1 keeps L up to mu - ln(100)/L."""
    text = STUDY.replace('"2ms"', f"{limit_ms / 1000}").replace('"2%"', str(resolution))
    (found,) = rates.searches(run(plan_of(text), queue))
    truth = SERVED_IO_S - math.log(100) / limit_ms * 1000
    assert found.found
    assert found.keeps_io_s
    assert found.breaks_io_s
    # Told are whole IO/s: what is told is what was tried.
    assert all(step.rate_io_s.is_integer() for step in found.steps if step.rate_io_s >= 1000)
    # A bucket of the histogram is 1/128 of its value wide: so near are limit and percentile told apart.
    assert found.keeps_io_s <= truth * 1.01 + 1
    assert found.breaks_io_s >= truth * 0.99 - 1
    assert found.breaks_io_s / found.keeps_io_s - 1 <= resolution
    assert len(found.steps) <= 16
    assert not found.contradicted
    assert found.doubtful == ()


def test_a_limit_that_no_rate_keeps_ends_the_search() -> None:
    (found,) = rates.searches(run(plan_of(), lambda point: timed(point, 3e6)))
    assert found.keeps_io_s is None
    assert found.next_rate_io_s() is None
    assert min(found.decisive) < found.whole_io_s / 500


def test_a_limit_that_every_rate_keeps_is_said_to_be_so() -> None:
    results = run(plan_of(), lambda point: timed(point, 1e6))
    (found,) = rates.searches(results)
    assert found.breaks_io_s is None
    assert not found.found
    assert found.keeps_io_s == max(found.decisive) > found.whole_io_s
    # Half of the whole, the whole, and then a quarter more each time.
    whole, tried = found.whole_io_s, [step.rate_io_s for step in found.steps]
    assert tried[:4] == [whole * share for share in (0.5, 1.0, 1.25, 1.5625)]


def test_a_step_that_is_not_steady_is_repeated_once_and_the_second_counts() -> None:
    seen: dict[float, int] = {}

    def disturbed_at_first(point: Point) -> PointResult:
        if point.rate_io_s is None:
            return queue(point)
        seen[point.rate_io_s] = seen.get(point.rate_io_s, 0) + 1
        if seen[point.rate_io_s] == 1:
            return timed(point, 1e9, ("steal",), "disturbed")
        return queue(point)

    (found,) = rates.searches(run(plan_of(STUDY.replace('"2%"', '"10%"')), disturbed_at_first))
    assert set(seen.values()) == {2}
    assert found.found
    assert found.doubtful == ()
    truth = SERVED_IO_S - math.log(100) / 0.002
    assert found.keeps_io_s
    assert found.keeps_io_s <= truth * 1.01


def test_a_step_that_stays_disturbed_is_said_to_be_doubtful() -> None:
    results = run(plan_of(), lambda point: timed(point, 1e6, ("steal",), "disturbed"))
    (found,) = rates.searches(results)
    assert [step.rate_io_s for step in found.doubtful] == [found.keeps_io_s]
    assert len(found.steps) == 2 * len(found.decisive)


@pytest.mark.parametrize(("simulated", "more"), [(False, "a longer --cap"), (True, "a larger --cap-ios")])
def test_the_way_to_more_ios_is_one_that_there_is(simulated: bool, more: str) -> None:
    """`search --on` takes no `--cap`: a simulated point ends after I/Os."""
    results = []
    for result in run(plan_of(), queue):
        reading = result.reading
        few = {
            name: getattr(reading, name).model_copy(update={"completed": 5}) for name in ("reads", "writes")
        }
        if simulated:
            few["simulation"] = simulated_result(result.point).reading.simulation
        results.append(result.model_copy(update={"reading": reading.model_copy(update=few)}))
    (line,) = search_lines(results)
    assert f"of the 1,000 that p99 needs: {more} gives more" in line


@pytest.mark.parametrize("cause", ["queue_shrank", "cache_fills", "response_drift"])
def test_a_step_that_worked_off_a_backlog_or_had_not_settled_is_repeated(cause: str) -> None:
    results = run(plan_of(), lambda point: timed(point, 1e6, (cause,), "not_steady"))
    (found,) = rates.searches(results)
    assert len(found.steps) == 2 * len(found.decisive)


@pytest.mark.parametrize("cause", ["overload", "queue_grew"])
def test_a_rate_that_was_not_had_is_called_as_at_its_point(cause: str) -> None:
    """The table of points said queue grew, and the answer overload."""

    def grew(point: Point) -> PointResult:
        result = queue(point)
        verdict = Verdict(state="not_steady", causes=(Cause(code=cause),))
        return result.model_copy(update={"verdict": verdict}) if (point.rate_io_s or 0) > 6_000 else result

    (line,) = search_lines(run(plan_of(), grew))
    assert re.search(rf"broken at [\d,]+ IO/s \({cause.replace('_', ' ')}\)$", line)


def test_what_an_answer_rests_on_is_said_where_it_may_be_another() -> None:
    def disturbed(point: Point) -> PointResult:
        return timed(point, 1e6, ("steal",), "disturbed") if point.rate_io_s else queue(point)

    results = run(plan_of(), disturbed)
    (found,), (line,) = rates.searches(results), search_lines(results)
    assert line.endswith(f". This rests on the point at {found.keeps_io_s:,.0f} IO/s, which is disturbed")


def test_drift_of_an_overloaded_target_needs_no_repeat() -> None:
    overload = timed(run(plan_of(), queue)[-1].point, 1e9, ("drift", "overload"), "not_steady")
    step = rates.Step(overload, _rule(overload.point).goal)
    assert step.sound
    assert not step.keeps


def test_an_overloaded_step_says_so_with_few_ios_too() -> None:
    """A percentile needs its number; that the target does not keep up does not."""
    point = run(plan_of(), queue)[-1].point
    for causes, told in ((("overload",), True), (("queue_grew",), True), (("queue_shrank",), False)):
        result = timed(point, 1e9, causes, "not_steady")
        few = {
            name: getattr(result.reading, name).model_copy(update={"completed": 5})
            for name in ("reads", "writes")
        }
        step = rates.Step(
            result.model_copy(update={"reading": result.reading.model_copy(update=few)}), _rule(point).goal
        )
        assert (step.told, step.sound) == (told, told)


def test_trims_are_among_the_response_times_that_a_search_limits() -> None:
    """They were left out: of reads of 1 ms and as many trims of 9 ms 99 % take no more than 9 ms, not 1."""
    point = run(plan_of(), queue)[-1].point
    fast, slow = (timed(point, value_ns).reading.reads for value_ns in (1e6, 9e6))
    reading = timed(point, 1e6).reading.model_copy(update={"reads": fast, "trims": slow})
    assert rates.response_time(reading).total == fast.completed + reading.writes.completed + slow.completed
    step = rates.Step(make_result(point, reading=reading), _rule(point).goal)
    assert step.value_ns == pytest.approx(9e6, rel=0.01)
    assert not step.keeps, "the limit is 2 ms"


def test_a_rate_above_one_that_broke_the_limit_is_no_answer() -> None:
    def odd(point: Point) -> PointResult:
        rate = point.rate_io_s or 0
        return timed(point, 1e6 if rate < 4000 or rate > 6000 else 3e6)

    (found,) = rates.searches(run(plan_of(), odd))
    assert found.contradicted or found.breaks_io_s is None or found.breaks_io_s <= 6000
    assert found.keeps_io_s is None or found.keeps_io_s < 4000 or found.breaks_io_s is None


def _rule(point: Point) -> SearchStep:
    assert isinstance(point.rate_from, SearchStep)
    return point.rate_from


def test_shares_are_of_the_greatest_rate_of_the_closed_loop() -> None:
    plan = plan_of(STUDY.replace("search = {", "rate_share = ['20%', '50%', '110%'] #"))
    loops = [(point.outstanding, type(point.rate_from)) for point in plan.points]
    assert loops == [(32, type(None)), (128, type(None)), *[(512, RateShare)] * 3]
    assert all(point.rate_io_s is None for point in plan.points)
    assert [point.follows for point in plan.points[2:]] == [(0, 1)] * 3
    results = run(plan, lambda point: make_result(point, rate_io_s=100.0 * point.outstanding))
    assert [result.point.rate_io_s for result in results[2:]] == pytest.approx([2560, 6400, 14080])


@pytest.mark.parametrize("key", ["rate_share = [0.5, 0.8] #", "search = {"])
def test_what_can_be_served_is_found_once_for_all_limits_of_the_outstanding(key: str) -> None:
    """It does not hang on how many I/Os an open loop may have: found twice, 50 % were of two wholes, and the
    curve of the closed loop had each load twice."""
    text = STUDY.replace("search = {", f"outstanding = [8, 64]\nworkers = [1, 2]\n{key}")
    plan = plan_of(text)
    closed = [point for point in plan.points if point.rate_from is None]
    assert [(point.workers, point.outstanding) for point in closed] == [(1, 32), (1, 128), (2, 32), (2, 128)]
    for workers in (1, 2):
        whole = tuple(point.index for point in closed if point.workers == workers)
        of = {(p.outstanding, p.rate_from.of) for p in plan.points if p.rate_from and p.workers == workers}
        assert of == {(8, whole), (64, whole)}


def test_each_limit_of_the_outstanding_has_a_search_of_its_own() -> None:
    plan = plan_of(STUDY.replace("search = {", "outstanding = [8, 64]\nsearch = {"))
    steps = [point for point in plan.points if point.rate_from]
    alone = [
        point for point in steps if isinstance(point.rate_from, SearchStep) and not point.rate_from.after
    ]
    assert [point.outstanding for point in alone] == [8, 64]
    most = {8: 4_000.0, 64: 8_000.0}

    def served(point: Point) -> PointResult:
        late = point.rate_io_s is not None and point.rate_io_s > most[point.outstanding]
        if point.rate_io_s is None:
            return queue(point)
        return timed(point, 1e9, ("overload",), "not_steady") if late else timed(point, 1e6)

    results = run(plan, served)
    found = rates.searches(results)
    assert [search.keeps_io_s for search in found] == pytest.approx([4_000, 8_000], rel=0.02)
    few, many = search_lines(results)
    assert ", 8 outstanding at most: p99" in few
    assert ", 64 outstanding at most: p99" in many


def test_targets_of_their_own_have_wholes_of_their_own() -> None:
    text = STUDY.replace("search = {", "targets = 'each'\nrate_share = 0.5 #")
    targets = [TARGET, Target(path="/made/up/too", asked="", kind="file", size_bytes=64 << 30)]
    plan = plan_study(parse_study(text), targets)
    for point in plan.points:
        paths = {plan.points[index].targets[0].path for index in point.follows}
        assert paths <= {point.targets[0].path}
    assert [len(point.follows) for point in plan.points] == [0, 0, 0, 0, 2, 2]


@pytest.mark.parametrize("finished", range(12))
def test_a_search_that_was_interrupted_goes_on_where_it_was(finished: int) -> None:
    plan = plan_of()
    whole = run(plan, queue)
    turn = rates.InTurn(plan, whole[:finished])
    rest = []
    while ready := turn.take():
        rest += [queue(point) for point in ready]
        for result in rest[-len(ready) :]:
            turn.finish(result)
    assert [result.point for result in (*whole[:finished], *rest)] == [result.point for result in whole]
    left = {point.index for point in rates.needed(plan, whole[:finished])}
    assert {result.point.index for result in rest} <= left
    assert rates.needed(plan, whole) == []


def test_what_no_rate_follows_from_keeps_seeds_and_hashes() -> None:
    plan = plan_study(load_study("quick"), [TARGET])
    assert not {"maximum_at", "rate_share", "search"} & set(plan.study_source["sweep"][0])
    assert not any("rate_from" in hashed_point(point) for point in plan.points)


def test_rates_of_the_command_line_take_the_place_of_the_study_s_load() -> None:
    study = load_study("quick")
    absolute = plan_study(
        study, [TARGET], Overrides(profiles=("database",), rates=Rates(io_s=(100.0, 200.0)))
    )
    assert [(point.rate_io_s, point.outstanding) for point in absolute.points] == [(100.0, 512), (200.0, 512)]
    shares = Overrides(
        profiles=("database",), rates=Rates(shares=(0.5,)), arrival="poisson", outstanding=(64,)
    )
    relative = plan_study(study, [TARGET], shares)
    assert [point.outstanding for point in relative.points] == [32, 128, 64]
    assert relative.points[2].arrival == "poisson"


@pytest.mark.parametrize(
    ("line", "said"),
    [("rate_io_s = 100", "has rate_io_s and search"), ("search = { limit = 0 }", "limit"),
     ("search = { percentile = 1, limit = 1 }", "percentile"), ("rate_share = '0%'", "rate_share")],
)  # fmt: skip
def test_bad_searches_are_refused(line: str, said: str) -> None:
    text = STUDY + line if "search" not in line else STUDY.replace(STUDY.splitlines()[-1], line)
    if line.startswith("rate_share"):
        text = STUDY.replace(STUDY.splitlines()[-1], line)
    with pytest.raises(Exception, match=said):
        parse_study(text)


def test_a_percentile_of_too_few_i_os_decides_nothing_soundly() -> None:
    """p99 of 300 I/Os is one of the three slowest: the end that rests on it is doubtful, and said to be."""

    def few(point: Point) -> PointResult:
        result = queue(point)
        seen = result.reading.reads.model_copy(update={"completed": 300})
        none = result.reading.writes.model_copy(update={"completed": 0})
        reading = result.reading.model_copy(update={"reads": seen, "writes": none})
        return result.model_copy(update={"reading": reading}) if point.rate_io_s else result

    (found,) = rates.searches(run(plan_of(), few))
    assert {step.rate_io_s for step in found.doubtful} == {found.keeps_io_s, found.breaks_io_s}
    assert found.doubtful[0].needed == 1000
    assert len(found.steps) == len(found.decisive), "a repeat as short as the first tells no more"
    from iodyno.cli.searching import search_lines

    (line,) = search_lines([step.result for step in found.steps])
    for end in (found.keeps_io_s, found.breaks_io_s):
        assert f"on too few I/Os at {end:,.0f} IO/s, 300 of the 1,000 that p99 needs" in line


def test_a_rate_below_one_io_a_second_is_told(iodyno_says: CommandLine) -> None:
    """A plan of one rate tells it too: without, nothing would say that the loop is open."""
    from iodyno.report.plain import load_text

    words = ("plan", "quick", "--profile", "database", "--outstanding", "8")
    assert "0.5 fixed" in iodyno_says(*words, "--rate", "0.5").out
    assert "IO/s" not in iodyno_says(*words).out
    point = plan_study(
        load_study("quick"), [TARGET], Overrides(profiles=("database",), rates=Rates(io_s=(0.5,)))
    ).points[0]
    assert load_text(point) == "0.5/s"


@pytest.mark.parametrize(
    ("share", "hint"),
    [("20", 'write "20%" or 0.2; "2000%" if that is meant'), ("110.0", 'write "110%" or 1.1')],
)
def test_a_share_without_its_percent_is_told(share: str, hint: str) -> None:
    """`rate_share = [20]` was 2000 % of what the target can serve, where `read_share = 70` is refused."""
    text = STUDY.replace(STUDY.splitlines()[-1], f"rate_share = [0.5, {share}]")
    with pytest.raises(ProfileError) as refused:
        parse_study(text)
    (problem,) = refused.value.problems
    assert (problem.where, problem.hint) == ("study: sweep[0].rate_share[1]", hint)


def test_much_more_than_can_be_served_reads_back_from_its_plan() -> None:
    study = parse_study(STUDY.replace(STUDY.splitlines()[-1], 'rate_share = [1.1, 10, "2000%"]'))
    assert study.sweep[0].rate_share == (1.1, 10, 20)
    assert study.source()["sweep"][0]["rate_share"] == [1.1, 10, "2000%"]
    assert study_of_document(study.source(), "again") == study
