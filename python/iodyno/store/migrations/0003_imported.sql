-- Which program measured a run, where that was not iodyno; empty otherwise.

ALTER TABLE runs ADD COLUMN imported TEXT NOT NULL DEFAULT '';

UPDATE runs SET imported = coalesce(json_extract(document, '$.imported'), '') WHERE json_valid(document);
