"""fio's job files as studies, its results as runs, and runs as its results."""

from __future__ import annotations

from iodyno.fio.jobs import job_names
from iodyno.fio.planning import JobPlan, is_job_file, plan_jobs
from iodyno.fio.together import JobStudy
from iodyno.fio.translating import Translated, translate

__all__ = ["JobPlan", "JobStudy", "Translated", "is_job_file", "job_names", "plan_jobs", "translate"]
