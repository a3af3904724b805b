/** One migration per entry, in order, never changed once released. The number of a migration is its position, from 1 on. */
export const migrations: readonly string[] = [
  `
CREATE TABLE ai_runtime.hub (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id uuid NOT NULL,
  key_check bytea NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ai_runtime.machine (
  id uuid PRIMARY KEY,
  label bytea NOT NULL,
  joined timestamptz NOT NULL DEFAULT now(),
  seen timestamptz NOT NULL DEFAULT now(),
  departed timestamptz
);
CREATE TABLE ai_runtime.subject (
  id text PRIMARY KEY,
  kind text NOT NULL,
  seq bigint NOT NULL,
  fence bigint NOT NULL,
  holder uuid NOT NULL REFERENCES ai_runtime.machine,
  leased_until timestamptz NOT NULL,
  manifest bytea NOT NULL,
  label bytea NOT NULL,
  tags bytea[] NOT NULL,
  bytes bigint NOT NULL,
  created timestamptz NOT NULL DEFAULT now(),
  updated timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX subject_tags ON ai_runtime.subject USING gin (tags);
CREATE INDEX subject_updated ON ai_runtime.subject (kind, updated DESC);
CREATE TABLE ai_runtime.chunk (
  subject text NOT NULL REFERENCES ai_runtime.subject ON DELETE CASCADE,
  stream text NOT NULL,
  start bigint NOT NULL,
  length int NOT NULL,
  link bytea NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (subject, stream, start)
);
ALTER TABLE ai_runtime.chunk ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE ai_runtime.journal (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  what text NOT NULL,
  machine uuid NOT NULL,
  fence bigint NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX journal_at ON ai_runtime.journal (at);
`,
  `
CREATE TABLE ai_runtime.fleet_worker (
  id uuid PRIMARY KEY,
  machine uuid NOT NULL REFERENCES ai_runtime.machine,
  account bytea NOT NULL,
  slots int NOT NULL,
  label bytea NOT NULL,
  started timestamptz NOT NULL DEFAULT now(),
  seen timestamptz NOT NULL DEFAULT now(),
  lost boolean NOT NULL DEFAULT false
);
CREATE INDEX fleet_worker_seen ON ai_runtime.fleet_worker (seen);
CREATE TABLE ai_runtime.fleet_account (
  account bytea PRIMARY KEY,
  limited_until timestamptz,
  label bytea NOT NULL,
  updated timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ai_runtime.fleet_run (
  id text PRIMARY KEY,
  session text NOT NULL,
  state text NOT NULL,
  grants smallint NOT NULL,
  labels bytea[] NOT NULL,
  priority int NOT NULL,
  place float8 NOT NULL,
  not_before timestamptz NOT NULL,
  waits_for bytea,
  fence bigint NOT NULL DEFAULT 0,
  worker uuid,
  leased_until timestamptz,
  failures int NOT NULL DEFAULT 0,
  task bytea NOT NULL,
  base bytea,
  outcome bytea,
  created timestamptz NOT NULL DEFAULT now(),
  updated timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX fleet_run_ready ON ai_runtime.fleet_run (priority DESC, place) WHERE state IN ('queued', 'waiting');
CREATE INDEX fleet_run_leased ON ai_runtime.fleet_run (leased_until) WHERE state = 'running';
CREATE INDEX fleet_run_ended ON ai_runtime.fleet_run (updated) WHERE state IN ('done', 'failed', 'stopped');
CREATE TABLE ai_runtime.fleet_patch (
  run text PRIMARY KEY REFERENCES ai_runtime.fleet_run ON DELETE CASCADE,
  content bytea NOT NULL
);
`,
];
