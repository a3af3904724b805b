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
];
