import { expect, test } from "bun:test";
import { maskSecrets } from "../../src/core/mask-secrets.ts";

test.each([
  ["curl -H 'Authorization: Bearer abc.def-123' x", "curl -H 'Authorization: Bearer [masked]' x"],
  ["ANTHROPIC_API_KEY=abcd1234 npm test", "ANTHROPIC_API_KEY=[masked] npm test"],
  ['{"password": "hunter22"}', '{"password": "[masked]"}'],
  ["gh auth --token abcdefgh", "gh auth --token [masked]"],
  ["git clone https://me:pa55@example.org/x", "git clone https://me:[masked]@example.org/x"],
  ["key is sk-ant-api03-AAAABBBBCCCCDDDD ok", "key is [masked] ok"],
  [`found ghp_${"a".repeat(36)}`, "found [masked]"],
  [`AKIA${"A".repeat(16)}`, "[masked]"],
  [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl`, "[masked]"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "[masked]"],
  ["MIIEcut\nAAAA\n-----END PRIVATE KEY-----\nok", "[masked]\nok"],
  [JSON.stringify({ content: 'API_KEY="abcdefgh"' }), String.raw`{"content":"API_KEY=\"[masked]""}`],
  [JSON.stringify(JSON.stringify({ password: "hunter22" })), String.raw`"{\"password\":\"[masked]"}"`],
  ["DJANGO_SECRET_KEY=abcdefgh", "DJANGO_SECRET_KEY=[masked]"],
  ["SECRET_KEY_BASE: abcdefgh", "SECRET_KEY_BASE: [masked]"],
  ["AccountKey=abcdefgh==", "AccountKey=[masked]"],
  ["MYSQL_PWD=hunter22 mysql", "MYSQL_PWD=[masked] mysql"],
  ["Authorization: token abcdefgh", "Authorization: token [masked]"],
  ["curl -u me:hunter22 http://x", "curl -u me:[masked] http://x"],
])("masks %p", (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test.each([
  "echo step-07 >> steps.txt",
  "bun test test/keys.test.ts",
  "git log --oneline",
  "https://example.org/a:b",
  "docker run -v $PWD:/work -u 1000:1000 x",
])("leaves %p as it is", (text) => {
  expect(maskSecrets(text)).toBe(text);
});

test("a long line costs little time", () => {
  const started = process.cpuUsage();
  for (const part of ["token ", "eyJ.", "sk-", "://a:", "-----BEGIN PRIVATE KEY-----"])
    maskSecrets(part.repeat(20_000));
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
});
