-- Runs, and the points that each of them has measured.
-- Columns repeat what SQL is asked for; the JSON documents are the truth, whole.

CREATE TABLE runs (
    id            TEXT    PRIMARY KEY,
    started_at    TEXT    NOT NULL,
    finished_at   TEXT,
    status        TEXT    NOT NULL CHECK (status IN ('running', 'finished', 'interrupted', 'failed')),
    study         TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    targets       TEXT    NOT NULL,
    points        INTEGER NOT NULL CHECK (points > 0),
    seed          INTEGER NOT NULL,
    config_hash   TEXT    NOT NULL,
    simulated     INTEGER NOT NULL CHECK (simulated IN (0, 1)),
    tool_version  TEXT    NOT NULL,
    tool_commit   TEXT    NOT NULL,
    build_profile TEXT    NOT NULL,
    optimised     INTEGER NOT NULL CHECK (optimised IN (0, 1)),
    document      TEXT    NOT NULL
);

CREATE TABLE points (
    run_id                TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    point_index           INTEGER NOT NULL CHECK (point_index >= 0),
    started_at            TEXT    NOT NULL,
    config_hash           TEXT    NOT NULL,
    sweep                 TEXT    NOT NULL,
    profile               TEXT    NOT NULL,
    outstanding           INTEGER NOT NULL,
    workers               INTEGER NOT NULL,
    outstanding_total     INTEGER NOT NULL,
    rate_asked_io_s       REAL,
    state                 TEXT    NOT NULL,
    causes                TEXT    NOT NULL,
    stopped               TEXT    NOT NULL,
    measured_s            REAL    NOT NULL,
    completed             INTEGER NOT NULL,
    bytes                 INTEGER NOT NULL,
    errors                INTEGER NOT NULL,
    transaction_rate_io_s REAL    NOT NULL,
    throughput_bytes_s    REAL    NOT NULL,
    interval_half_width   REAL,
    latency_ns_mean       REAL    NOT NULL,
    latency_ns_p50        REAL    NOT NULL,
    latency_ns_p99        REAL    NOT NULL,
    latency_ns_p99_9      REAL    NOT NULL,
    latency_ns_max        INTEGER NOT NULL,
    document              TEXT    NOT NULL,
    PRIMARY KEY (run_id, point_index)
);

CREATE TRIGGER a_point_is_in_the_plan BEFORE INSERT ON points
WHEN NEW.point_index >= (SELECT points FROM runs WHERE id = NEW.run_id)
BEGIN
    SELECT RAISE(ABORT, 'the plan has no such point');
END;
