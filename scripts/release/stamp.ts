export interface Stamp {
  readonly version: string;
  /** Base URL of `download/v<version>/` and `latest/download/`. */
  readonly url: string;
  readonly checksums: string;
}

/** Writes the address of the release into a page that says `<address>`. */
export const stampPage = (page: string, url: string): string => page.replaceAll("<address>", `${url}/latest/download`);

/** Where releases are when package.json names its repository on the web. */
export function releasesOf(repository: unknown): string | undefined {
  const url = typeof repository === "string" ? repository : (repository as { url?: unknown } | undefined)?.url;
  if (typeof url !== "string") return undefined;
  const address = url.replace(/^git\+/, "").replace(/\.git$/, "");
  return address.startsWith("https://") ? `${address}/releases` : undefined;
}

/** Writes version, URL and checksums of the release into an installer, so that it does not download the checksums. */
export function stampInstaller(script: string, { version, url, checksums }: Stamp): string {
  for (const value of [version, url, checksums]) {
    if (value.includes("'")) throw new Error(`cannot stamp this value into an installer: ${value}`);
  }
  let stamped = script;
  for (const [name, value] of [
    ["release_version", version],
    ["release_url", url],
    ["release_checksums", checksums.trim()],
  ] as const) {
    const places = stamped.split(new RegExp(`^( *\\$?${name} ?= ?)''$`, "m"));
    if (places.length !== 3) throw new Error(`the installer must have exactly one empty assignment of ${name}`);
    stamped = `${places[0]}${places[1]}'${value}'${places[2]}`;
  }
  return stamped;
}
