import { describe, expect, test } from "bun:test";
import { whyForeignHost, whyForeignOrigin } from "../../../src/core/dashboard/request-guard.ts";

const from = (host: string | null, origin: string | null = null, fetchSite: string | null = null) => ({
  host,
  origin,
  fetchSite,
});

describe("the host name of a request", () => {
  test.each([
    ["127.0.0.1:4747", true, true],
    ["localhost:4747", true, true],
    ["LOCALHOST", true, true],
    ["[::1]:9000", true, true],
    ["192.168.1.5:4747", false, true],
    ["[fe80::1]:4747", false, true],
    ["evil.example:4747", false, false],
    ["127.0.0.1.evil.example", false, false],
    ["localhost.evil.example", false, false],
    ["127.0.0.1:4747@evil.example", false, false],
    ["127.0.0.1:", false, false],
    ["", false, false],
    [null, false, false],
  ])("%p passes on loopback: %p, where other addresses are served: %p", (host, onLoopback, elsewhere) => {
    expect([whyForeignHost(from(host), false) === undefined, whyForeignHost(from(host), true) === undefined]).toEqual([
      onLoopback,
      elsewhere,
    ]);
  });
});

describe("the origin of a request", () => {
  const host = "127.0.0.1:4747";
  test.each([
    [null, null, true],
    [`http://${host}`, "same-origin", true],
    [null, "none", true],
    ["http://127.0.0.1:4748", null, false],
    ["http://localhost:4747", null, false],
    [`https://${host}`, null, false],
    ["null", null, false],
    [null, "same-site", false],
    [null, "cross-site", false],
    [`http://${host}`, "cross-site", false],
  ])("%p with the fetch site %p passes: %p", (origin, fetchSite, passes) => {
    expect(whyForeignOrigin(from(host, origin, fetchSite)) === undefined).toBe(passes);
  });
});
