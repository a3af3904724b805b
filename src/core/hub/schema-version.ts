/** What a client does about the schema that it finds in the database. */
export type SchemaDecision = "current" | "absent" | "older" | "newer";

/** `found`: the highest migration in the database; undefined when there is no schema. `known`: the highest one of this client. */
export function decideSchema(found: number | undefined, known: number): SchemaDecision {
  if (found === undefined || found === 0) return "absent";
  if (found > known) return "newer";
  return found < known ? "older" : "current";
}
