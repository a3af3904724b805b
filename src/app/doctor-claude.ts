import { compareClaudeVersions, parseClaudeVersion } from "../claude/versions.ts";
import { versionText } from "./claude-version.ts";
import { broken, doubtful, type Finding, good } from "./finding.ts";
import type { Status } from "./status.ts";

const oldestTested = "2.1.36";

export function examineClaude({ claude }: Status): Finding[] {
  const name = "claude";
  const { installed } = claude;
  if (!installed) {
    const message = "no claude on PATH, and CCLAUDE_CLAUDE_BIN names none";
    return [broken(name, message, "npm install -g @anthropic-ai/claude-code")];
  }
  const { path, version } = installed;
  if (!version) return [doubtful(name, `${path} does not say its version`, `${path} --version`)];
  const oldest = parseClaudeVersion(oldestTested);
  const text = `${path} ${versionText(version)}`;
  if (oldest && compareClaudeVersions(version, oldest) < 0) {
    return [doubtful(name, `${text} is older than ${oldestTested}, the oldest that is tested`, "claude update")];
  }
  return [good(name, text)];
}
