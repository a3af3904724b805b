/** The command that opens an address in the user's browser. */
export function browserCommand(system: "linux" | "darwin" | "windows", address: string): [string, ...string[]] {
  switch (system) {
    case "linux":
      return ["xdg-open", address];
    case "darwin":
      return ["open", address];
    case "windows":
      // `start` of cmd would interpret characters of the address.
      return ["rundll32", "url.dll,FileProtocolHandler", address];
  }
}
