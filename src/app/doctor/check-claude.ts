import { compareClaudeVersions, parseClaudeVersion } from "../../claude/versions.ts";
import { versionText } from "../claude-version.ts";
import { failed, warning, type CheckResult, ok } from "./check-result.ts";
import type { Status } from "./status.ts";

const oldestTestedVersion = "2.1.36";

export function checkClaude({ claude }: Status): CheckResult[] {
  const name = "claude";
  const { installed } = claude;
  if (!installed) {
    const message = "claude is not on PATH, and CCLAUDE_CLAUDE_BIN does not name an executable";
    return [failed(name, message, "npm install -g @anthropic-ai/claude-code")];
  }
  const { path, version } = installed;
  if (!version) return [warning(name, `${path} does not report its version`, `${path} --version`)];
  const oldest = parseClaudeVersion(oldestTestedVersion);
  const text = `${path} ${versionText(version)}`;
  if (oldest && compareClaudeVersions(version, oldest) < 0) {
    return [warning(name, `${text} is older than ${oldestTestedVersion}, the oldest tested version`, "claude update")];
  }
  return [ok(name, text)];
}
