export interface Stamp {
  readonly version: string;
  /** Below it lie `download/v<version>/` and `latest/download/`. */
  readonly url: string;
  readonly checksums: string;
}

/** Tells an installer which release it belongs to, and with which checksums: then it asks nobody else for them. */
export function stampInstaller(script: string, { version, url, checksums }: Stamp): string {
  for (const value of [version, url, checksums]) {
    if (value.includes("'")) throw new Error(`cannot be stamped into an installer: ${value}`);
  }
  let stamped = script;
  for (const [name, value] of [
    ["release_version", version],
    ["release_url", url],
    ["release_checksums", checksums.trim()],
  ] as const) {
    const places = stamped.split(new RegExp(`^( *\\$?${name} ?= ?)''$`, "m"));
    if (places.length !== 3) throw new Error(`the installer has no single place for ${name}`);
    stamped = `${places[0]}${places[1]}'${value}'${places[2]}`;
  }
  return stamped;
}
