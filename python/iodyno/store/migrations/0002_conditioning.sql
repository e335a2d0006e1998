-- What was done to the targets of a run before they were measured, and what undid it, step by step.

CREATE TABLE conditioning (
    run_id        TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL CHECK (number >= 0),
    kind          TEXT    NOT NULL CHECK (kind IN ('purged', 'filled', 'round', 'reused', 'lost')),
    started_at    TEXT    NOT NULL,
    finished_at   TEXT    NOT NULL,
    target        TEXT,
    turn          INTEGER NOT NULL,
    before_point  INTEGER,
    written_bytes INTEGER NOT NULL,
    document      TEXT    NOT NULL,
    PRIMARY KEY (run_id, number)
);

CREATE INDEX conditioning_of_a_target ON conditioning (target, run_id);
