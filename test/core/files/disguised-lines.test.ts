// Command lines that look harmless at first sight, but can change or remove files.
import { expect, test } from "bun:test";
import { findDestroyer } from "../../../src/core/files/can-destroy.ts";
import { isPlainlyHarmless } from "../../../src/core/files/plainly-harmless.ts";

const disguised = [
  "echo x > 1",
  "echo a\\\\\nrm -rf x",
  "ls # list \\\nrm -rf x",
  "ls \\\r\nrm -rf x",
  "cat <<'EOF'\nfoo\\\nEOF\nrm -rf x",
  "cat <<EOF\r\nhi\r\nEOF\r\nrm -rf x\r\n",
  "sed 's|a|b|w out.txt' f",
  "sed -n '1wout' f",
  "sed 's,a,rm x,e' f",
  "sed -es/a/b/wout f",
  "sed --in-p s/a/b/ f",
  "awk -fprog.awk f",
  "awk -o '{print}' f",
  "sort --out=f f",
  "sort -t, -k1,1 -no f f",
  "curl --outp f u",
  "curl -K cfg u",
  "env -S'rm x'",
  "echo checkout . | xargs git",
  "echo rm x | xargs env",
  "bash deploy.sh -c ls",
  "make version",
  "node version",
  "./git status",
  "./env ls",
  "arch -arm64 rm -rf x",
  "history -w notes.txt",
  "echo $((rm -rf x); ls)",
  "echo $((rm x) && (ls))",
  "/usr/bin/time --output=x ls",
  "git diff --outpu=x",
  "sudo --shell <<< 'rm x'",
  "jobs -x rm x",
  "rg --pre ./x foo",
  "git grep -Orm x",
  "cargo metadata",
  "< \\\n file rm x",
  "file -C -m magic",
  "tree -R -L 1 -H . x",
  "go env -w X=y",
  "git log --output=x",
  "PATH=. ls",
  "export PATH=./bin:$PATH && ls",
  "LD_PRELOAD=./x.so cat a",
  "GIT_EXTERNAL_DIFF='rm x' git diff",
  "PAGER='rm x' git log",
  "hash -p ./evil ls; ls",
  "tar tf a.tar --checkpoint=1 --checkpoint-action=exec='rm x'",
  "tar -tf a.tar -I 'rm x'",
  "git ls-remote --upload-pack='rm x' .",
  "git fetch --exec='rm x' .",
  "ag --pager='rm x' foo",
  "r''m x",
  "$'\\x72m' x",
  "rm\u00a0x",
  "exec 3<>file",
  "ls() { rm x; }; ls",
  "time { rm x; }",
  "coproc rm x",
  "cat a | sh",
];

test.each(disguised)("is not harmless: %j", (line) => {
  expect(isPlainlyHarmless(line)).toBe(false);
  expect(findDestroyer(line)).toBeDefined();
});

const harmless = [
  "sed -n '1,20p' a",
  "sed -n -e '/x/,/y/{p;q}' a",
  "sed 's|a/b|c|g; s/d/e/' a | head",
  "sed -E 's/a(b)/\\1/gI;$d' a",
  "ls \\\n  src \\\n  test",
  'echo "a \\\n b"',
  "ls # it's a list \\\nls",
  "ls 2>&1 >&2 2>&-",
  "echo $(( (1 + 2) * 3 ))",
  "bash -o pipefail -c 'ls | head'",
  "find . -name a | xargs -0 grep -l x",
  "git ls-files | xargs git log --oneline --",
  "awk -F: -v x=1 '{print $1}' a",
  "rg --files -g '*.ts'",
  "GIT_PAGER=cat git log -1",
  "FORCE_COLOR=1 NODE_ENV=test ls",
  "export FOO=bar; ls",
  "tar -tvf a.tgz",
];

test.each(harmless)("is still harmless: %j", (line) => {
  expect(findDestroyer(line)).toBeUndefined();
});
