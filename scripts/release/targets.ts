/** The systems for which a release has an executable. */
export const releaseTargets = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
] as const;

export type ReleaseTarget = (typeof releaseTargets)[number];

export const executableName = (target: ReleaseTarget): string =>
  `ai-runtime-${target}${target.startsWith("windows") ? ".exe" : ""}`;
