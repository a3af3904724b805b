const user = `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"'$id'","message":{"role":"user","content":"Do it"}}`;
const message = `{"id":"m","role":"assistant","type":"message","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}`;
const answer = `{"type":"assistant","uuid":"a","parentUuid":"u","sessionId":"'$id'","message":${message}}`;
const result = `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"Done.","total_cost_usd":0.5}`;

/** A script in place of claude that answers at once and writes a transcript; it notes each start in `starts`. */
export const finishingClaude = `
[ "$1" = --version ] && { echo '2.1.326 (Claude Code)'; exit 0; }
while [ $# -gt 0 ]; do case "$1" in --session-id|--resume) id=$2;; esac; shift; done
cat >/dev/null
echo "$AI_RUNTIME_RUN" >>"$HOME/starts"
project="$HOME/.claude/projects/$(pwd | sed 's/[^a-zA-Z0-9]/-/g')"
mkdir -p "$project"
printf '%s\\n' '${user}' '${answer}' >>"$project/$id.jsonl"
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"'$id'"}' '${answer}' '${result}'
`;
